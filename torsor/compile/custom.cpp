// Custom numbers, texts and tuples.
#include <fmt/format.h>

#include <algorithm>

#include "torsor/compile/targets.hpp"
#include "torsor/compile/write.hpp"
#include "torsor/model/object_words.hpp"

namespace torsor::compiler {
namespace {

void check_numerics(Draft& draft) {
  for (const NumericSpec& spec : draft.spec.numerics) {
    const auto given = static_cast<long long>(spec.data.size());
    const long long size = spec.size < 0 ? given : spec.size;
    if (size == 0) draft.error("numeric", spec, "needs at least one number");
    if (given > size) draft.error("numeric", spec, fmt::format("has {} numbers, but its size is {}", given, size));
  }
}

void settle_tuple(Draft& draft, const Targets& targets, TupleDraft& tuple) {
  const TupleSpec& spec = *tuple.spec;
  if (spec.entries.empty()) draft.error("tuple", spec, "is empty");
  for (const TupleSpec::Entry& entry : spec.entries) {
    const ObjectType type = object_of_word(entry.objtype);
    if (type == ObjectType::kUnknown)
      draft.error("tuple", spec, fmt::format("unknown or unsupported objtype '{}'", entry.objtype));
    else if (entry.objname.empty())
      draft.error("tuple", spec, fmt::format("an entry does not name its {}", entry.objtype));
    const bool is_known = type != ObjectType::kUnknown;
    const int id = is_known ? draft.resolve(targets.names(type), entry.objtype, entry.objname, "tuple", spec) : -1;
    tuple.objects.emplace_back(type, id);
  }
}

void write_numerics(const Draft& draft, Model& model) {
  int address = 0;
  for (int n = 0; n < model.nnumeric; ++n) {
    const NumericSpec& spec = draft.spec.numerics[static_cast<size_t>(n)];
    const int given = static_cast<int>(spec.data.size()), size = spec.size < 0 ? given : spec.size;
    model.numeric_adr[n] = address;
    model.numeric_size[n] = size;
    address += size;
    write_list(model.numeric_data.row(model.numeric_adr[n], 1), spec.data);
  }
}

void write_texts(const Draft& draft, Model& model) {
  int address = 0;
  for (int t = 0; t < model.ntext; ++t) {
    const TextSpec& spec = draft.spec.texts[static_cast<size_t>(t)];
    model.text_adr[t] = address;
    model.text_size[t] = static_cast<int>(spec.data.size()) + 1;
    write_list(model.text_data.row(address, 1), spec.data);
    address += model.text_size[t];
  }
}

void write_tuples(const Draft& draft, Model& model) {
  int address = 0;
  for (int t = 0; t < model.ntuple; ++t) {
    const TupleDraft& tuple = draft.tuples[at(t)];
    model.tuple_adr[t] = address;
    model.tuple_size[t] = static_cast<int>(tuple.objects.size());
    for (size_t k = 0; k < tuple.objects.size(); ++k, ++address) {
      model.tuple_objtype[address] = static_cast<int>(tuple.objects[k].first);
      model.tuple_objid[address] = tuple.objects[k].second;
      model.tuple_objprm[address] = tuple.spec->entries[k].prm;
    }
  }
}

}  // namespace

void settle_custom(Draft& draft, const Targets& targets) {
  check_numerics(draft);
  for (const TextSpec& spec : draft.spec.texts) {
    if (spec.data.empty()) draft.error("text", spec, "is empty");
  }
  for (const TupleSpec& spec : draft.spec.tuples) {
    TupleDraft& tuple = draft.tuples.emplace_back();
    tuple.spec = &spec;
    settle_tuple(draft, targets, tuple);
  }
}

void write_custom(const Draft& draft, Model& model) {
  write_numerics(draft, model);
  write_texts(draft, model);
  write_tuples(draft, model);
}

}  // namespace torsor::compiler
