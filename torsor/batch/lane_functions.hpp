// Stages that a batch runs lane by lane and that forward() and step() do not have as one function.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

void compute_lane_kinematics(const Model& model, Data& data);
void compute_lane_passive(const Model& model, Data& data);  // without tendons
void make_lane_rows(const Model& model, Data& data);
void compute_lane_metric(const Model& model, Data& data);
void add_lane_tendon_bias(const Model& model, Data& data);
void compute_all_sensors(const Model& model, Data& data);
void compute_sensors_without_rows(const Model& model, Data& data);  // where no contacts and rows are there
// Those that WideStage::kReadings leaves, with or without rows, or those that kReadingsOfMotion leaves.
void compute_left_sensors(const Model& model, Data& data);
void compute_left_sensors_without_rows(const Model& model, Data& data);
void compute_left_sensors_of_forces(const Model& model, Data& data);
void advance_lane_actuators(const Model& model, Data& data);
void advance_lane_controls(const Model& model, Data& data);  // without readings
void integrate_lane(const Model& model, Data& data);

}  // namespace torsor
