# The module for another Python than the interpreter of the build, of which only headers are here: TORSOR_PYTHON_HEADERS is the
# folder of its Python.h. Neither stubs nor tests can be made with such a module; build the targets _core and torsor_python_files.
file(STRINGS ${TORSOR_PYTHON_HEADERS}/patchlevel.h lines REGEX "define PY_(MAJOR|MINOR)_VERSION")
string(REGEX MATCHALL "[0-9]+" version "${lines}")
list(JOIN version "" version)
set(Python_SOABI cpython-${version}-${CMAKE_SYSTEM_PROCESSOR}-linux-gnu) # nanobind's suffix of the module
# Debian's pyconfig.h leads to one for the machine, in a folder beside this one.
get_filename_component(beside ${TORSOR_PYTHON_HEADERS} DIRECTORY)
set(Python_INCLUDE_DIRS ${TORSOR_PYTHON_HEADERS} ${beside})
set_target_properties(Python::Module PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${Python_INCLUDE_DIRS}"
                                                INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${Python_INCLUDE_DIRS}")
message(STATUS "torsor: the Python module is for ${Python_SOABI}")
