#pragma once

// lookup_order: puts the lines that are to be read from the host into the order of their pages.
// What translates addresses on the way to the host, a GPU's own tables or an IOMMU, keeps some
// hundred pages; of memory that has more, lines in no order each wait for a translation, and those
// of a page that are read one after another wait for one.

#include "block/scan.cuh"
#include "host_device.cuh"
#include "lookup/lookup_abi.cuh"

namespace flinkgpu {

inline constexpr uint32_t order_thread_pages = lookup_pages / lookup_threads;

struct order_shared {
  block_scan<lookup_threads, uint32_t> pages;
  uint32_t starts[lookup_pages];  // lines of the pages before
};

struct order_state {
  uint32_t thread;
  uint32_t counts[order_thread_pages];
};

// Pages share a number where there are more of them than numbers: they have few lines each.
FLINKGPU_HD uint32_t page_of(uint64_t source) {
  return static_cast<uint32_t>(source >> lookup_page_bits) & (lookup_pages - 1);
}

FLINKGPU_HD void count_line(const lookup_args& args, uint64_t source) {
  if (args.page_counts != nullptr) {
    atomic_add(&args.page_counts[page_of(source)], 1);
  }
}

FLINKGPU_HD lookup_host_line line_at(const lookup_args& args, uint32_t at) {
  return args.ordered_lines == nullptr ? lookup_host_line{args.line_sources[at], at, 0}
                                       : args.ordered_lines[at];
}

template <typename Threads>
FLINKGPU_LIST void order_lines(const Threads& threads, const lookup_args& args,
                               order_shared& shared, uint32_t block) {
  auto each = threads.begin([&](uint32_t thread) {
    order_state self{thread, {}};
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < order_thread_pages; ++i) {
      self.counts[i] = args.page_counts[thread * order_thread_pages + i];
    }
    return self;
  });
  each.scan(
      shared.pages,
      [](const order_state& self) {
        uint32_t lines = 0;
        FLINKGPU_UNROLLED
        for (uint32_t i = 0; i < order_thread_pages; ++i) {
          lines += self.counts[i];
        }
        return lines;
      },
      [&](order_state& self, uint32_t before, uint32_t) {
        FLINKGPU_UNROLLED
        for (uint32_t i = 0; i < order_thread_pages; ++i) {
          shared.starts[self.thread * order_thread_pages + i] = before;
          before += self.counts[i];
        }
      });
  each.last([&](order_state& self) {
    uint32_t* const placed = args.page_counts + lookup_pages;
    const uint32_t lines = args.header->lines;
    for (uint32_t line = block * lookup_threads + self.thread; line < lines;
         line += args.warps * 32) {
      const uint64_t source = args.line_sources[line];
      const uint32_t page = page_of(source);
      args.ordered_lines[shared.starts[page] + atomic_add(&placed[page], 1)] = {source, line, 0};
    }
  });
}

}  // namespace flinkgpu
