# How a folder of the library becomes a target: torsor_library() and torsor_isa_objects().

# torsor_library(<name> [DEPENDS folder...] [LINKS target...] [HEADERS target...] [EXCLUDE regex...])
# makes the static library torsor_<name> of every .cpp below the current folder. DEPENDS are its arrows: the folders
# that it may include, directly; includes may follow arrows onwards. This call is the only place that says so: the
# include check reads what torsor_write_arrows() writes from it.
function(torsor_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINKS;HEADERS;EXCLUDE" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "torsor_library(${name}): unknown arguments ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  set(depends "")
  foreach(folder IN LISTS ARG_DEPENDS)
    if(TARGET torsor_${folder})
      list(APPEND depends torsor_${folder})
    elseif(EXISTS ${PROJECT_SOURCE_DIR}/torsor/${folder}/CMakeLists.txt) # this also forbids cycles
      message(FATAL_ERROR "torsor_library(${name}): ${folder} comes later in the order of the arrows")
    else() # a tree in the making can be configured; the include check fails until the folder is there
      message(WARNING "torsor_library(${name}): the folder ${folder} is not there")
    endif()
  endforeach()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  foreach(regex IN LISTS ARG_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX ${regex})
  endforeach()

  set(links "")
  foreach(target IN LISTS ARG_LINKS)
    get_property(replacement GLOBAL PROPERTY TORSOR_REPLACES_${target}) # a self-contained build has static ones
    if(replacement)
      set(target ${replacement})
    endif()
    list(APPEND links ${target})
  endforeach()

  set(headers ${ARG_HEADERS}) # of our sources only: nobody who links an installed Torsor needs them
  list(TRANSFORM headers REPLACE "(.+)" "$<BUILD_INTERFACE:\\1>")

  if(sources)
    add_library(torsor_${name} STATIC ${sources})
    set_target_properties(torsor_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_link_libraries(torsor_${name} PUBLIC torsor_flags ${depends} ${links}
                                         PRIVATE $<BUILD_INTERFACE:torsor_warnings> ${headers})
    # Nobody replaces our functions at load time, and GCC inlines none that somebody might: 2 to 6 % of a step.
    target_compile_options(torsor_${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
  else() # headers only
    add_library(torsor_${name} INTERFACE)
    target_link_libraries(torsor_${name} INTERFACE torsor_flags ${depends} ${links})
  endif()
  set_property(GLOBAL APPEND PROPERTY TORSOR_FOLDERS ${name})
  set_property(GLOBAL PROPERTY TORSOR_DEPENDS_${name} ${ARG_DEPENDS})
  set_property(GLOBAL PROPERTY TORSOR_LINKS_${name} ${ARG_LINKS} ${ARG_HEADERS})
endfunction()

# The instruction sets that kernels are compiled for, and the compiler flags of each. No -march=native: one binary
# carries all of them and chooses when it is loaded. `native` has the kernels of one set and compiles faster, for programs that
# run on the machine they are built on.
set(TORSOR_KERNELS all CACHE STRING "instruction sets with kernels: all, one of them, or native for the best one of this machine")
set_property(CACHE TORSOR_KERNELS PROPERTY STRINGS all native baseline avx2 avx512)
set(TORSOR_ISAS baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  list(APPEND TORSOR_ISAS avx2 avx512)
endif()
if(TORSOR_KERNELS STREQUAL native)
  try_run(TORSOR_BEST_ISA TORSOR_BEST_ISA_COMPILED ${CMAKE_CURRENT_BINARY_DIR} ${PROJECT_SOURCE_DIR}/cmake/best_isa.cpp
          CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${PROJECT_SOURCE_DIR})
  list(GET TORSOR_ISAS ${TORSOR_BEST_ISA} TORSOR_ISAS)
elseif(TORSOR_KERNELS IN_LIST TORSOR_ISAS)
  set(TORSOR_ISAS ${TORSOR_KERNELS})
elseif(NOT TORSOR_KERNELS STREQUAL all)
  list(JOIN TORSOR_ISAS ", " isas)
  message(FATAL_ERROR "TORSOR_KERNELS is '${TORSOR_KERNELS}'; expected all, native, or one of ${isas}")
endif()
foreach(isa IN ITEMS baseline avx2 avx512)
  list(FIND TORSOR_ISAS ${isa} place)
  if(place EQUAL -1)
    set(TORSOR_HAS_${isa} 0)
    list(GET TORSOR_ISAS 0 TORSOR_TABLE_${isa})
  else()
    set(TORSOR_HAS_${isa} 1)
    set(TORSOR_TABLE_${isa} ${isa})
  endif()
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/torsor/core/built_isas.hpp.in ${PROJECT_BINARY_DIR}/generated/torsor/core/built_isas.hpp)
set(TORSOR_ISA_FLAGS_baseline "")
set(TORSOR_ISA_FLAGS_avx2 -mavx2 -mfma)
set(TORSOR_ISA_FLAGS_avx512 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mavx2 -mfma -mprefer-vector-width=256)

# torsor_isa_flags(<target> <isa>): compile a target for one instruction set, its symbols in the namespace TORSOR_ISA.
# Packs that are not inlined are a hundred times slower than scalars, so development builds optimise here too.
function(torsor_isa_flags target isa)
  target_compile_definitions(${target} PRIVATE TORSOR_ISA=${isa})
  target_compile_options(${target} PRIVATE $<IF:$<CONFIG:Debug>,-O2,-O3> -fno-trapping-math -ffp-contract=fast
                                           ${TORSOR_ISA_FLAGS_${isa}})
endfunction()

# torsor_isa_objects(<target> SOURCES file...)
# compiles the sources once per instruction set and adds the objects to the target. A source listed here is no longer
# compiled by the target itself.
function(torsor_isa_objects target)
  cmake_parse_arguments(ARG "" "" "SOURCES" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS OR NOT ARG_SOURCES)
    message(FATAL_ERROR "torsor_isa_objects(${target}): expected SOURCES file...")
  endif()
  list(TRANSFORM ARG_SOURCES REPLACE "^([^/].*)$" "${CMAKE_CURRENT_SOURCE_DIR}/\\1")
  foreach(source IN LISTS ARG_SOURCES)
    if(NOT EXISTS ${source})
      message(FATAL_ERROR "torsor_isa_objects(${target}): no file ${source}")
    endif()
  endforeach()
  get_target_property(others ${target} SOURCES)
  list(REMOVE_ITEM others ${ARG_SOURCES})
  set_target_properties(${target} PROPERTIES SOURCES "${others}")

  foreach(isa IN LISTS TORSOR_ISAS)
    set(objects ${target}_${isa})
    add_library(${objects} OBJECT ${ARG_SOURCES})
    set_target_properties(${objects} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden UNITY_BUILD OFF)
    torsor_isa_flags(${objects} ${isa})
    target_link_libraries(${objects} PRIVATE torsor_flags torsor_warnings)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
    set_property(GLOBAL APPEND PROPERTY TORSOR_ISA_OBJECTS ${objects})
  endforeach()
endfunction()

# torsor_write_arrows(<file>): one line per folder, "name: folders it may include | third-party targets it links".
function(torsor_write_arrows file)
  get_property(folders GLOBAL PROPERTY TORSOR_FOLDERS)
  set(text "")
  foreach(folder IN LISTS folders)
    get_property(depends GLOBAL PROPERTY TORSOR_DEPENDS_${folder})
    get_property(links GLOBAL PROPERTY TORSOR_LINKS_${folder})
    list(JOIN depends " " depends)
    list(JOIN links " " links)
    string(APPEND text "${folder}: ${depends} | ${links}\n")
  endforeach()
  file(WRITE ${file} "${text}")
endfunction()
