# What the build needs from the system, checked first and reported at once, with the Debian packages to install.

# torsor_fail_for_missing(<package>...): ends the configuration unless the list is empty.
function(torsor_fail_for_missing)
  if(ARGN)
    list(JOIN ARGN " " packages)
    message(FATAL_ERROR "Torsor cannot be built: something that it needs is not installed.\n"
                        "On Debian and Ubuntu:\n    apt-get install ${packages}\n"
                        "Elsewhere: the packages of the same libraries.")
  endif()
endfunction()

# torsor_find_compiler(): ends the configuration where there is no C++ compiler, before CMake's own message does.
function(torsor_find_compiler)
  if(CMAKE_CXX_COMPILER_LOADED)
    return() # the project that we are a part of has enabled C++
  endif()
  include(CheckLanguage)
  check_language(CXX)
  if(NOT CMAKE_CXX_COMPILER)
    torsor_fail_for_missing(g++ libfmt-dev libpugixml-dev libqhull-dev libstb-dev libcli11-dev nlohmann-json3-dev zlib1g-dev libboost-dev
                            python3-dev)
  endif()
endfunction()
