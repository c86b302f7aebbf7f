package io.flinkgpu.backend.cuda.redact;

import io.flinkgpu.backend.cuda.device.DeviceLayout;

/**
 * Where a batch's arrays lie in one block of device memory: offsets from its start, all multiples of
 * 256. What the host reads comes last, the output's text at the very end, as long as there is room.
 *
 * <pre>
 *   both    | data | offsets | bitmap | candidates | found | over rows | ...
 *   rows    ... scan states | carries | row over | header | changed | out offsets | out data
 *               |-------------------- zeroBytes --------------------|
 *   lines   ... out offsets | scan states | carries | line states | row over | changed | header | out data
 *                           |------------------------- zeroBytes -------------------------------|
 * </pre>
 *
 * <p>Of one automaton, what it found becomes the candidates where it is. Of several, bitmap and candidates must be zero
 * as well.
 *
 * <p>Of lines that the device finds, the host reads neither where they end nor which changed; the output
 * is laid out as that of one row.
 */
final class RedactLayout {

    /** Lines that are shorter, on average, have to be counted before there is room for them. */
    private static final int MIN_LINE_BYTES = 8;

    /** How many rows there is room for. */
    final int rowCapacity;

    final long data;
    final long offsets;
    final long bitmap;
    final long candidates;

    /** The candidates, of one automaton. */
    final long found;

    final long overRows;

    /** The first of what must be zero before the kernels run. */
    final long scanStates;

    final long carries;

    /** Nothing where the rows are known. */
    final long lineStates;

    final long rowOver;

    /** The first of what {@link OutputLayout} has. */
    final long header;

    final long changed;
    final long outOffsets;
    final long outData;

    /** From scanStates on. */
    final long zeroBytes;

    /** From bitmap on, of several automata; else 0. */
    final long candidateZeroBytes;

    final OutputLayout output;

    private RedactLayout(
            int dataBytes, int rows, boolean holdsLines, int rules, boolean oneAutomaton) {
        DeviceLayout block = new DeviceLayout();
        rowCapacity = rows;
        long offsetsBytes = 4 * (rows + 1L);
        int tiles = RedactLaunch.write(dataBytes).blocks();
        long segments = ((long) dataBytes + RedactAbi.SEGMENT_BYTES - 1) / RedactAbi.SEGMENT_BYTES;
        data = block.array(dataBytes);
        offsets = block.array(offsetsBytes);
        bitmap = block.array(4 * segments);
        candidates = block.array(4L * dataBytes);
        found = oneAutomaton ? candidates : block.array(4L * dataBytes);
        candidateZeroBytes = oneAutomaton ? 0 : found - bitmap;
        overRows = block.array((long) RedactAbi.OVER_ROW_BYTES * rows);
        long lineOutOffsets = block.array(holdsLines ? offsetsBytes : 0);
        scanStates = block.array(8L * tiles);
        carries = block.array(4L * tiles);
        lineStates = block.array(holdsLines ? 8L * RedactLaunch.findLines(dataBytes).blocks() : 0);
        rowOver = block.array(rows + 1L);
        long lineChanged = block.array(holdsLines ? rows : 0);
        header = block.end();
        output = OutputLayout.of(holdsLines ? 1 : rows, rules);
        changed = holdsLines ? lineChanged : header + output.changed();
        outOffsets = holdsLines ? lineOutOffsets : header + output.offsets();
        outData = header + output.data();
        zeroBytes = header + (holdsLines ? output.changed() : output.offsets()) - scanStates;
    }

    /** The layout of a batch of so many bytes, separators included, in so many rows. */
    static RedactLayout ofRows(int dataBytes, int rows, int rules, boolean oneAutomaton) {
        return new RedactLayout(dataBytes, rows, false, rules, oneAutomaton);
    }

    /** The layout of a batch of so many bytes in which the device finds the lines. */
    static RedactLayout ofLines(int dataBytes, int rules, boolean oneAutomaton) {
        return new RedactLayout(
                dataBytes, 1 + dataBytes / MIN_LINE_BYTES, true, rules, oneAutomaton);
    }
}
