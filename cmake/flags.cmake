# Compile flags that every Torsor target shares: torsor_flags (inherited by users), torsor_warnings (our sources only).

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
  endif()
  # Lines are what backtraces and the reports of sanitizers name; variables cost a third of the time of compiling.
  # For a debugger: cmake --preset dev -DCMAKE_BUILD_TYPE=RelWithDebInfo
  set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")
  set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
  find_program(CCACHE_PROGRAM ccache)
  if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  endif()
else()
  get_property(many_types GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(NOT CMAKE_BUILD_TYPE AND NOT many_types) # flags of the user come later on the command line, and win
    message(STATUS "torsor: no CMAKE_BUILD_TYPE is set; Torsor's own sources are compiled with -O2")
    set(CMAKE_CXX_FLAGS "-O2 -DNDEBUG ${CMAKE_CXX_FLAGS}")
  endif()
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON) # who links us in another folder links what we link
endif()

option(TORSOR_ASSERTS "check our own invariants while running" OFF)
option(TORSOR_POISON "fill scratch and later stages with NaN before each stage" OFF)
set(TORSOR_SANITIZE "" CACHE STRING "sanitizers to build with: address,undefined or thread")

add_library(torsor_flags INTERFACE)
target_compile_features(torsor_flags INTERFACE cxx_std_20)
target_include_directories(torsor_flags INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                           $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>)
# Nobody reads errno after a square root, and reading it back keeps one from being a single instruction.
target_compile_options(torsor_flags INTERFACE -fno-math-errno)
# GCC 12 takes a call for dead that writes through pointers in a temporary object: its ipa-modref pass is wrong there.
target_compile_options(torsor_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-fno-ipa-modref>)
foreach(check IN ITEMS TORSOR_ASSERTS TORSOR_POISON)
  if(${check})
    target_compile_definitions(torsor_flags INTERFACE ${check}=1)
  endif()
endforeach()
if(TORSOR_SANITIZE)
  set(sanitizers -fsanitize=${TORSOR_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(torsor_flags INTERFACE ${sanitizers})
  target_link_options(torsor_flags INTERFACE ${sanitizers})
endif()

# -Wno-psabi: passing a pack by value between differently compiled files is a warning that namespaces per instruction
# set make void.
add_library(torsor_warnings INTERFACE)
target_compile_options(torsor_warnings INTERFACE -Wall -Wextra -Wshadow -Wno-psabi)

# torsor_runs_once(<target>): for what runs once per command or per frame (arguments, tables, messages) and has no loops over
# numbers. It compiles in two thirds of the time of -O2 with -O1, and in half of that of -O1 without optimisation.
function(torsor_runs_once target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1> $<$<CONFIG:Debug>:-O0>)
endfunction()
