// Everything a program needs: #include <torsor/torsor.hpp>, then
//   auto model = torsor::load("robot.xml");
//   torsor::Data data(model);
//   torsor::step(model, data);
#pragma once

#include "torsor/batch/batch.hpp"
#include "torsor/compile/compile.hpp"
#include "torsor/compile/set_const.hpp"
#include "torsor/dynamics/dispatch.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/load/load.hpp"
#include "torsor/model/data.hpp"
#include "torsor/model/model.hpp"
#include "torsor/model/spec.hpp"
#include "torsor/sim/sim.hpp"
