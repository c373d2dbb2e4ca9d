// Everything a program needs: #include <torsor/torsor.hpp>, then
//   auto model = torsor::load("robot.xml");
//   torsor::Data data(model);
//   torsor::step(model, data);
#pragma once

#include "torsor/batch/batch.hpp"
#include "torsor/batch/rollout.hpp"
#include "torsor/bridge/body_view.hpp"
#include "torsor/bridge/detect.hpp"
#include "torsor/bridge/model_order.hpp"
#include "torsor/bridge/sap_boundary.hpp"
#include "torsor/bridge/shape_mass.hpp"
#include "torsor/bridge/state_map.hpp"
#include "torsor/compile/compile.hpp"
#include "torsor/compile/set_const.hpp"
#include "torsor/convention/convert.hpp"
#include "torsor/convention/inertia.hpp"
#include "torsor/convention/rotation_rows.hpp"
#include "torsor/convention/shapes.hpp"
#include "torsor/convention/typed.hpp"
#include "torsor/dynamics/dispatch.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/format/world_axes.hpp"
#include "torsor/load/load.hpp"
#include "torsor/model/data.hpp"
#include "torsor/model/model.hpp"
#include "torsor/model/spec.hpp"
#include "torsor/sim/differences.hpp"
#include "torsor/sim/sim.hpp"
