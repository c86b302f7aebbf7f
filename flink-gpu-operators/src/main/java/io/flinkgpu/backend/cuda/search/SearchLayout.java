package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.backend.cuda.device.DeviceLayout;

/**
 * Where a round's arrays lie in a batch's block of device memory, which is used by one round after the other.
 *
 * <pre>
 *   | ids | counts | states | number | queries | codes | elements | need | least | table | candidates |
 *   |-- copied to the host afterwards --|
 *                  |-- copied from it before ---------------------|
 * </pre>
 */
final class SearchLayout {

    /** Between pieces of host memory that are copied. */
    private static final int ALIGNMENT = 16;

    final long counts;
    final long states;

    /** Of the batch: what comes from the host has it, and so what goes there. */
    final long number;

    /** Up to the number. */
    final long resultBytes;

    final long queries;
    final long codes;
    final long elements;

    /** From the states to the elements. */
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
     * @param slots of the largest round
     * @param groups of the largest round
     * @param results of all queries of a round
     * @param roundElements of all queries of a round
     * @param groupElements of all queries of a group; 0 if there are no wide documents
     */
    SearchLayout(int slots, int groups, long results, long roundElements, int groupElements) {
        boolean isWide = groupElements > 0;
        sizes = isWide ? SearchAbi.SEARCH_WIDE_SIZES : SearchAbi.SEARCH_NARROW_SIZES;
        tableLog = isWide ? Integer.SIZE - Integer.numberOfLeadingZeros(2 * groupElements) : 0;
        counts = Long.BYTES * results;
        states = align(counts + Integer.BYTES * results);
        number = states + (long) SearchAbi.SEARCH_STATE_BYTES * slots;
        resultBytes = number + Integer.BYTES;
        queries = align(resultBytes);
        codes = align(queries + (long) SearchAbi.SEARCH_QUERY_BYTES * slots);
        elements = align(codes + Short.BYTES * roundElements);
        long inputEnd = elements + (isWide ? Integer.BYTES * roundElements : 0);
        inputBytes = inputEnd - states;
        DeviceLayout block = new DeviceLayout();
        block.array(inputEnd);
        need = block.array((long) Integer.BYTES * SearchAbi.SEARCH_NEED_WORDS * sizes * groups);
        least = block.array((long) Short.BYTES * SearchAbi.SEARCH_NARROW_SIZES * slots);
        tableBytes = isWide ? (long) Long.BYTES * groups << tableLog : 0;
        table = block.array(tableBytes);
        candidates = block.array((long) Long.BYTES * SearchAbi.SEARCH_CANDIDATES * slots);
        end = block.end();
    }

    private static long align(long bytes) {
        return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    }
}
