// Marks that touch each other, corners included: runs of each row, joined with the runs of the row above.

#include "comparison_rows.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  uint32_t first, last; // columns
  size_t group;
} run;

typedef struct {
  size_t parent;
  comparison_cluster cluster;
} group;

typedef struct {
  group *items;
  size_t count, room;
} group_list;

static size_t add_group(group_list *groups, comparison_cluster cluster) {
  if (groups->count == groups->room) {
    group *grown = comparison_memory(groups->room * 2, sizeof(group));
    memcpy(grown, groups->items, groups->count * sizeof(group));
    free(groups->items);
    groups->items = grown;
    groups->room *= 2;
  }
  groups->items[groups->count] = (group){groups->count, cluster};
  return groups->count++;
}

static size_t root(group *groups, size_t index) {
  while (groups[index].parent != index) {
    groups[index].parent = groups[groups[index].parent].parent;
    index = groups[index].parent;
  }
  return index;
}

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }
static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

static void merge(comparison_cluster *into, const comparison_cluster *from) {
  into->marks += from->marks;
  into->left = smaller(into->left, from->left);
  into->top = smaller(into->top, from->top);
  into->right = larger(into->right, from->right);
  into->bottom = larger(into->bottom, from->bottom);
}

// The older group takes the younger one in.
static size_t join(group *groups, size_t a, size_t b) {
  a = root(groups, a), b = root(groups, b);
  if (a == b) return a;
  const size_t older = a < b ? a : b, younger = a < b ? b : a;
  groups[younger].parent = older;
  merge(&groups[older].cluster, &groups[younger].cluster);
  return older;
}

// One bit for each of up to 64 marks.
static uint64_t bits_of(const uint8_t *marks, size_t count) {
  uint64_t bits = 0;
  for (size_t i = 0; i < count; i += 8) {
    uint64_t part = 0;
    memcpy(&part, marks + i, count - i < 8 ? count - i : 8);
    // Every byte is 0 or 1; the product gathers them in its highest byte, the first one lowest.
    bits |= (part * 0x0102040810204080u >> 56) << i;
  }
  return bits;
}

// Where marks begin and end, from the bits that differ from the bit before.
static size_t find_runs(const uint8_t *marks, size_t width, run *runs) {
  size_t count = 0;
  uint64_t last = 0;
  for (size_t x = 0; x < width; x += 64) {
    const uint64_t bits = bits_of(marks + x, width - x < 64 ? width - x : 64);
    for (uint64_t changes = bits ^ (bits << 1 | last); changes; changes &= changes - 1) {
      const uint32_t place = (uint32_t)(x + (size_t)__builtin_ctzll(changes));
      if (place < width && bits >> (place - x) & 1) {
        runs[count++].first = place;
      } else {
        runs[count - 1].last = place - 1;
      }
    }
    last = bits >> 63;
  }
  if (last) runs[count - 1].last = (uint32_t)width - 1;
  return count;
}

// A run belongs to the group of the first run above that it touches, and joins the groups of the others.
static void join_rows(group_list *groups, const run *above, size_t above_count, run *runs, size_t count, uint32_t y) {
  size_t candidate = 0;
  for (size_t i = 0; i < count; i++) {
    const comparison_cluster cluster = {runs[i].last - runs[i].first + 1, runs[i].first, y, runs[i].last, y};
    while (candidate < above_count && above[candidate].last + 1 < runs[i].first) candidate++;
    if (candidate == above_count || above[candidate].first > runs[i].last + 1) {
      runs[i].group = add_group(groups, cluster);
      continue;
    }
    runs[i].group = root(groups->items, above[candidate].group);
    merge(&groups->items[runs[i].group].cluster, &cluster);
    for (size_t k = candidate + 1; k < above_count && above[k].first <= runs[i].last + 1; k++) {
      runs[i].group = join(groups->items, runs[i].group, above[k].group);
    }
  }
}

static bool precedes(const comparison_cluster *a, const comparison_cluster *b) {
  if (a->marks != b->marks) return a->marks > b->marks;
  return a->top != b->top ? a->top < b->top : a->left < b->left;
}

static void keep_largest(const comparison_cluster *cluster, comparison_cluster *boxes, size_t *count, size_t limit) {
  size_t place = *count;
  if (place == limit && (limit == 0 || !precedes(cluster, &boxes[limit - 1]))) return;
  if (place == limit) place--; else (*count)++;
  for (; place > 0 && precedes(cluster, &boxes[place - 1]); place--) boxes[place] = boxes[place - 1];
  boxes[place] = *cluster;
}

comparison_clusters comparison_find_clusters(
    const uint8_t *marks, size_t width, size_t height, comparison_cluster *boxes, size_t box_limit) {
  group_list groups = {comparison_memory(64, sizeof(group)), 0, 64};
  run *runs = comparison_memory(width + 2, sizeof(run)), *above = comparison_memory(width + 2, sizeof(run));
  size_t above_count = 0;
  for (size_t y = 0; y < height; y++) {
    const size_t count = find_runs(marks + y * width, width, runs);
    join_rows(&groups, above, above_count, runs, count, (uint32_t)y);
    run *held = above;
    above = runs, runs = held;
    above_count = count;
  }
  comparison_clusters result = {0};
  for (size_t i = 0; i < groups.count; i++) {
    if (groups.items[i].parent != i) continue;
    result.count++;
    if (groups.items[i].cluster.marks == 1) result.isolated++;
    keep_largest(&groups.items[i].cluster, boxes, &result.box_count, box_limit);
  }
  free(groups.items);
  free(runs);
  free(above);
  return result;
}
