package io.flinkgpu.operator;

import io.flinkgpu.backend.AggregatePlan;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.GroupedBatch;
import io.flinkgpu.backend.LineGroups;
import io.flinkgpu.backend.LinePlan;
import io.flinkgpu.backend.PassPlan;
import io.flinkgpu.backend.RedactedBatch;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.TransformedBatch;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextView;
import io.flinkgpu.text.CompiledRules;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Replaces every "secret" by "[X]", and does at each call what its script says. */
final class FakeBackend implements Backend {

    private static final Pattern SECRET = Pattern.compile("secret");
    private static final String REPLACEMENT = "[X]";

    private final BufferAllocator allocator;
    private final Script script;

    private FakeBackend(long memoryLimitBytes, Script script) {
        this.allocator = new RootAllocator(memoryLimitBytes);
        this.script = script;
    }

    static FakeBackend open(long memoryLimitBytes, int deviceSlot, Script script)
            throws BackendException {
        script.on(Call.OPEN, deviceSlot);
        return new FakeBackend(memoryLimitBytes, script);
    }

    /** What a test sees and steers: called before each call does its work. */
    interface Script {

        Script NONE = (call, rows) -> {};

        /**
         * @param rows of the batch; for {@link Call#OPEN} the device slot
         */
        void on(Call call, int rows) throws BackendException;
    }

    enum Call {
        OPEN,
        COMPILE,
        SUBMIT,
        AWAIT,
        CLOSE_PROGRAM,
        CLOSE
    }

    @Override
    public String description() {
        return "fake";
    }

    @Override
    public boolean isGpu() {
        return false;
    }

    @Override
    public BufferAllocator allocator() {
        return allocator;
    }

    @Override
    public CompiledProgram<GroupedBatch> compile(AggregatePlan plan) {
        throw new UnsupportedOperationException("this fake only redacts");
    }

    @Override
    public CompiledProgram<LineGroups> compile(LinePlan plan) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompiledProgram<TransformedBatch> compile(PassPlan plan) {
        throw new UnsupportedOperationException("this fake only redacts");
    }

    @Override
    public CompiledProgram<RedactedBatch> compile(CompiledRules rules, byte[] hashKey)
            throws BackendException {
        script.on(Call.COMPILE, 0);
        return new CompiledProgram<RedactedBatch>() {
            @Override
            public Submission<RedactedBatch> submit(ColumnBatch batch) throws BackendException {
                script.on(Call.SUBMIT, batch.rows());
                return () -> {
                    script.on(Call.AWAIT, batch.rows());
                    return redact(batch);
                };
            }

            @Override
            public void close() {
                unchecked(Call.CLOSE_PROGRAM);
            }
        };
    }

    @Override
    public void close() {
        allocator.close();
        unchecked(Call.CLOSE);
    }

    private void unchecked(Call call) {
        try {
            script.on(call, 0);
        } catch (BackendException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    private RedactedBatch redact(ColumnBatch batch) {
        TextView in = batch.text(0);
        ArrowBuf changed = allocator.buffer(in.rows());
        long matches = 0;
        byte[][] rows = new byte[in.rows()][];
        int bytes = 0;
        for (int row = 0; row < in.rows(); row++) {
            // One char a byte, so that bytes that are no UTF-8 come back as they were.
            String text = new String(in.copyRow(row), StandardCharsets.ISO_8859_1);
            Matcher matcher = SECRET.matcher(text);
            long before = matches;
            while (matcher.find()) {
                matches++;
            }
            changed.setByte(row, matches > before ? 1 : 0);
            rows[row] =
                    matcher.replaceAll(Matcher.quoteReplacement(REPLACEMENT))
                            .getBytes(StandardCharsets.ISO_8859_1);
            bytes += rows[row].length + in.separatorBytes();
        }
        try (BatchBuilder out =
                new BatchBuilder(allocator, in.rows(), Math.max(1, bytes), in.separatorBytes())) {
            for (byte[] row : rows) {
                out.append(row, 0, row.length);
            }
            return new RedactedBatch(out.build(), changed, new long[] {matches}, 1_000_000);
        }
    }
}
