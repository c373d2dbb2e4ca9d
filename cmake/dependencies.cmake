# Third-party packages, all from the system, and the Python whose headers the bindings are compiled with.

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(pugixml REQUIRED)
find_package(Qhull REQUIRED)

# stb has no CMake package: it is headers, and the one file of ours that uses one holds its implementation.
find_path(STB_INCLUDE_DIR stb/stb_image.h REQUIRED)
add_library(torsor_stb INTERFACE)
add_library(stb::stb ALIAS torsor_stb)
target_include_directories(torsor_stb SYSTEM INTERFACE $<BUILD_INTERFACE:${STB_INCLUDE_DIR}>)

# The virtual environment in the tree, if there is one, has the pinned nanobind and NumPy.
if(NOT Python_EXECUTABLE AND EXISTS ${PROJECT_SOURCE_DIR}/.venv/bin/python)
  set(Python_EXECUTABLE ${PROJECT_SOURCE_DIR}/.venv/bin/python)
endif()
set(python_default OFF)
if(PROJECT_IS_TOP_LEVEL)
  set(python_default AUTO)
endif()
set(TORSOR_PYTHON ${python_default} CACHE STRING "build the Python module: ON, OFF, or AUTO (when nanobind is there)")
set(TORSOR_HAS_NANOBIND OFF)
find_package(Python 3.11 COMPONENTS Interpreter OPTIONAL_COMPONENTS Development.Module)
if(TORSOR_PYTHON AND Python_Development.Module_FOUND)
  execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
                  OUTPUT_VARIABLE nanobind_DIR RESULT_VARIABLE nanobind_missing)
  if(NOT nanobind_missing)
    find_package(nanobind CONFIG REQUIRED)
    set(TORSOR_HAS_NANOBIND ON)
  endif()
endif()
if(TORSOR_PYTHON STREQUAL "ON" AND NOT TORSOR_HAS_NANOBIND)
  message(FATAL_ERROR "TORSOR_PYTHON is ON, but ${Python_EXECUTABLE} has no nanobind or no headers (python3-dev)")
endif()
