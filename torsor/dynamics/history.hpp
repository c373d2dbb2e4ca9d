// Rings of samples over time, of controls and of sensor readings, as they lie in `history`:
// [a number of the owner, place of the newest sample, times, values by sample].
#pragma once

namespace torsor {

struct HistoryLayout {
  int samples, dim;  // dim: numbers per sample
};

// The values at a time, which are held, or interpolated (1 linear, 2 cubic), number by number; before the first and
// after the last sample those of that sample.
void read_history(const double* history, HistoryLayout layout, double time, int interpolation, double* values);

// Replaces the oldest sample by a new one; a sample of the same time is overwritten.
void push_history(double* history, HistoryLayout layout, double time, const double* values);

// Sets all samples, oldest first; without times, the present times are kept.
void fill_history(double* history, HistoryLayout layout, const double* times, const double* values);

}  // namespace torsor
