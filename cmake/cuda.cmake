# CUDA sources (TORSOR_CUDA=ON): which nvcc compiles them, for which cards, and what they link. nvcc is called file by file, since
# CMake's own support for CUDA does not know the layout of the compiler's wheels.
option(TORSOR_CUDA "compile the CUDA sources: torsor.DeviceBatch on NVIDIA cards" OFF)
set(TORSOR_CUDA_ARCHITECTURES "" CACHE STRING
    "compute capabilities to make machine code for, such as 90; empty: all current ones. The highest also gets PTX, for newer cards")

option(TORSOR_CUDA_OPTIMISE "optimise device code; without it, it compiles 20 times as fast and is good for nothing else" ON)

add_library(torsor_cuda INTERFACE) # what a folder with CUDA sources links; without CUDA, nothing
if(NOT TORSOR_CUDA)
  return()
endif()

# The system's compiler, or that of requirements-cuda.txt in the virtual environment.
find_program(TORSOR_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
if(NOT TORSOR_NVCC)
  get_filename_component(environment "${Python_EXECUTABLE}" DIRECTORY)
  file(GLOB wheels ${environment}/../lib/python3*/site-packages/nvidia/cu*/bin/nvcc
                   ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/nvidia/cu*/bin/nvcc)
  if(NOT wheels)
    message(FATAL_ERROR "TORSOR_CUDA is ON, but there is no nvcc. Install the CUDA toolkit, or its compiler alone:\n"
                        "    .venv/bin/pip install -r requirements-cuda.txt\nTORSOR_NVCC=/path/to/nvcc names another one.")
  endif()
  list(GET wheels 0 nvcc)
  get_filename_component(nvcc ${nvcc} REALPATH)
  set_property(CACHE TORSOR_NVCC PROPERTY VALUE ${nvcc})
endif()

# The static runtime opens libcuda when the first function is called, so the library loads where there is no driver.
get_filename_component(toolkit ${TORSOR_NVCC} REALPATH)
get_filename_component(toolkit ${toolkit}/../.. ABSOLUTE)
find_library(TORSOR_CUDART cudart_static HINTS ${toolkit}
             PATH_SUFFIXES lib64 lib targets/${CMAKE_SYSTEM_PROCESSOR}-linux/lib)
if(NOT TORSOR_CUDART)
  message(FATAL_ERROR "TORSOR_CUDA is ON, but ${toolkit} has no libcudart_static.a")
endif()
target_link_libraries(torsor_cuda INTERFACE ${TORSOR_CUDART} Threads::Threads ${CMAKE_DL_LIBS} rt)

execute_process(COMMAND ${TORSOR_NVCC} --list-gpu-arch OUTPUT_VARIABLE known RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${TORSOR_NVCC} does not run")
endif()
string(REGEX MATCHALL "[0-9]+" known "${known}")
set(cards ${TORSOR_CUDA_ARCHITECTURES})
if(NOT cards)
  foreach(card IN ITEMS 75 80 86 89 90 100 120)
    if(card IN_LIST known)
      list(APPEND cards ${card})
    endif()
  endforeach()
endif()
list(SORT cards COMPARE NATURAL)
set(TORSOR_CUDA_CODE "")
foreach(card IN LISTS cards)
  if(NOT card IN_LIST known)
    message(FATAL_ERROR "TORSOR_CUDA_ARCHITECTURES: ${TORSOR_NVCC} does not know ${card}; it knows ${known}")
  endif()
  list(APPEND TORSOR_CUDA_CODE -gencode=arch=compute_${card},code=sm_${card})
endforeach()
list(GET cards -1 newest)
list(APPEND TORSOR_CUDA_CODE -gencode=arch=compute_${newest},code=compute_${newest})
if(NOT TORSOR_CUDA_OPTIMISE)
  list(APPEND TORSOR_CUDA_CODE -Xcicc=-O1 -Xptxas=-O1)
endif()
message(STATUS "torsor: CUDA sources for ${cards} with ${TORSOR_NVCC}")

# torsor_cuda_objects(<target>): compiles every .cu below the current folder and adds the objects to the target.
function(torsor_cuda_objects target)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.cu)
  set(includes $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
  set(definitions $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
  set(host_flags -fPIC -fvisibility=hidden -fno-math-errno)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND host_flags -fno-ipa-modref) # as flags.cmake says
  endif()
  list(JOIN host_flags "," host_flags)
  set(objects "")
  foreach(source IN LISTS sources)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/cuda/${source}.o)
    get_filename_component(folder ${object} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(
      OUTPUT ${object} DEPENDS ${source} DEPFILE ${object}.d VERBATIM COMMAND_EXPAND_LISTS
      COMMENT "Compiling CUDA source ${source}"
      COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${TORSOR_NVCC} -ccbin ${CMAKE_CXX_COMPILER} -std=c++20 -O3 --expt-relaxed-constexpr ${TORSOR_CUDA_CODE}
              $<$<NOT:$<CONFIG:Debug>>:-DNDEBUG> "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
              "-I$<JOIN:${includes},;-I>" -Xcompiler=${host_flags} --Werror=cross-execution-space-call -diag-suppress=1675
              -MD -MF ${object}.d -c ${CMAKE_CURRENT_SOURCE_DIR}/${source} -o ${object})
    list(APPEND objects ${object})
  endforeach()
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  target_sources(${target} PRIVATE ${objects})
  add_custom_target(${target}_cuda DEPENDS ${objects}) # for checks that need no more than that the sources compile
endfunction()
