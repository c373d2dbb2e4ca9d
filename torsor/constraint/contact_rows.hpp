// Rows of contacts.
#pragma once

#include "torsor/constraint/blocks.hpp"
#include "torsor/constraint/row_writer.hpp"

namespace torsor {

// Contacts that make rows. Those of one pair of bodies share the list of its dofs.
struct ContactList {
  struct Item {
    int contact, pair;
  };
  Item* items = nullptr;
  PairDofs* pairs = nullptr;
  int count = 0;
};

// In scratch; without memory, some are missing. Also sets efc_address and exclude of all contacts.
void find_contacts_with_rows(const Model& model, Data& data, ContactList& list);

void count_contact_rows(const Model& model, const Data& data, const ContactList& list, RowCounter& counter);
void write_contact_rows(const Model& model, Data& data, const ContactList& list, RowWriter& writer);

}  // namespace torsor
