package io.flinkgpu.backend.cuda.redact;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.CudaMemory;
import io.flinkgpu.backend.cuda.device.DeviceProgram;
import io.flinkgpu.backend.cuda.device.SharedDevice;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextView;
import io.flinkgpu.text.CompiledRules;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;

/** Redacts batches by a rule set's tables, on which it has a hold. */
@Internal
public final class CudaRedaction extends DeviceProgram<ColumnBatch, RedactSlot, RedactedBatch> {

    private final DeviceTables tables;
    private final HostFinish hostFinish;

    public CudaRedaction(
            SharedDevice device, CudaMemory memory, CompiledRules rules, byte[] hashKey)
            throws BackendException {
        super(device, memory, () -> new RedactSlot(device, memory));
        hostFinish = new HostFinish(rules, hashKey);
        DeviceTables.Key key = new DeviceTables.Key(rules.ruleSet(), rules.parts().size());
        tables =
                closeWithProgram(device.shared().hold(key, () -> new DeviceTables(rules, memory)))
                        .get();
    }

    @Override
    public boolean findsLines() {
        return true;
    }

    @Override
    protected ColumnBatch read(ColumnBatch batch) {
        return batch.rows() == 0 ? null : batch;
    }

    @Override
    protected void start(RedactSlot slot, ColumnBatch batch) throws BackendException {
        slot.start(batch.text(0), batch.holdsLines(), tables);
    }

    @Override
    protected RedactedBatch finish(RedactSlot slot, ColumnBatch batch, CloseStack columns)
            throws BackendException {
        TextView text = batch.text(0);
        RedactHeader header = slot.awaitHeader(tables.ruleCount());
        int lines = header.lines();
        long kernelNanos = slot.kernelNanos();
        // Each run has its own header: which rows a thread has no steps left for depends on its
        // share.
        while (!slot.foundLines(header) || !slot.hadRoom(header)) {
            if (!slot.foundLines(header)) {
                text = columns.push(batch.splitLines(allocator)).text(0);
                slot.start(text, false, tables);
            } else {
                OutputColumns.checkSize(header.outputBytes());
                slot.startAgain(text, tables, header);
            }
            header = slot.awaitHeader(tables.ruleCount());
            kernelNanos += slot.kernelNanos();
        }
        OutputColumns output = columns.push(slot.takeOutput(header));
        ArrowBuf patchList =
                columns.push(allocator.buffer((long) header.hashMatches() * RedactAbi.PATCH_BYTES));
        boolean near = RedactSlot.copiesOverRows(header);
        long farBytes = near ? 0 : (long) header.overRows() * RedactAbi.OVER_ROW_BYTES;
        ArrowBuf overList = columns.push(allocator.buffer(farBytes));
        slot.copyRest(header, output, patchList, overList);
        slot.check(output);
        hostFinish.writeHashes(text, patchList.memoryAddress(), header.hashMatches(), output);
        long[] matches = header.matchesPerRule();
        OutputColumns filled =
                hostFinish.fillRows(
                        text,
                        slot.holdsLines(),
                        near ? output.nearRowsAddress() : overList.memoryAddress(),
                        header.overRows(),
                        output,
                        matches);
        if (filled != output) {
            output = columns.push(filled);
        }
        RedactedBatch redacted =
                batch.holdsLines()
                        ? output.toLines(lines, matches, kernelNanos)
                        : output.toBatch(matches, kernelNanos);
        return redacted.withHardRows(header.overRows());
    }

    @Override
    protected RedactedBatch nothing(ColumnBatch batch) {
        int separatorBytes = batch.text(0).separatorBytes();
        try (OutputColumns output =
                new OutputColumns(allocator, 0, tables.ruleCount(), separatorBytes, 0)) {
            output.putOffset(0, 0);
            return output.toBatch(new long[tables.ruleCount()], 0);
        }
    }
}
