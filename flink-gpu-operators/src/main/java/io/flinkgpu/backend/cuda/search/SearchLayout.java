package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.backend.cuda.device.DeviceLayout;

/**
 * Where a batch's arrays lie in its block of device memory. Results are those of all rounds; the rest is used
 * by one round after the other.
 *
 * <pre>
 *   | states | ids | counts | number |       copied to the host at once
 *   | queries | codes | elements |           copied from it
 *   | need | least | table | candidates |
 * </pre>
 */
final class SearchLayout {

    /** Between pieces of host memory that are copied. */
    private static final int ALIGNMENT = 16;

    final long ids;
    final long counts;

    /** Of the batch; results end with it. */
    final long number;

    final long resultBytes;
    final long queries;
    final long codes;
    final long elements;

    /** Queries, codes and elements. */
    final long inputBytes;

    final long need;
    final long least;
    final long table;
    final long tableBytes;
    final long candidates;
    final long end;

    /** Of documents, that needs are known for. */
    final int sizes;

    /** Of slots of the table of a group's elements; 0 if there are no wide documents. */
    final int tableLog;

    /**
     * @param slots of all rounds
     * @param results of all queries
     * @param roundSlots of the largest round
     * @param groups of the largest round
     * @param roundElements of all queries of a round
     * @param groupElements of all queries of a group; 0 if there are no wide documents
     */
    SearchLayout(
            int slots,
            long results,
            int roundSlots,
            int groups,
            long roundElements,
            int groupElements) {
        boolean isWide = groupElements > 0;
        sizes = isWide ? SearchAbi.SEARCH_WIDE_SIZES : SearchAbi.SEARCH_NARROW_SIZES;
        tableLog = isWide ? Integer.SIZE - Integer.numberOfLeadingZeros(2 * groupElements) : 0;
        ids = (long) SearchAbi.SEARCH_STATE_BYTES * slots;
        counts = ids + Long.BYTES * results;
        number = (counts + Integer.BYTES * results + 7) & -8;
        resultBytes = number + Long.BYTES;
        DeviceLayout block = new DeviceLayout();
        block.array(resultBytes);
        queries = block.end();
        codes = align(queries + (long) SearchAbi.SEARCH_QUERY_BYTES * roundSlots);
        elements = align(codes + Short.BYTES * roundElements);
        inputBytes = elements + (isWide ? Integer.BYTES * roundElements : 0) - queries;
        block.array(inputBytes);
        need = block.array((long) Integer.BYTES * SearchAbi.SEARCH_NEED_WORDS * sizes * groups);
        least = block.array((long) Short.BYTES * SearchAbi.SEARCH_NARROW_SIZES * roundSlots);
        tableBytes = isWide ? (long) Long.BYTES * groups << tableLog : 0;
        table = block.array(tableBytes);
        candidates = block.array((long) Long.BYTES * SearchAbi.SEARCH_CANDIDATES * roundSlots);
        end = block.end();
    }

    private static long align(long bytes) {
        return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    }
}
