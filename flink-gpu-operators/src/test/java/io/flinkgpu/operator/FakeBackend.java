package io.flinkgpu.operator;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.ForwardingBackend;
import io.flinkgpu.backend.OpenRequest;
import io.flinkgpu.backend.ScriptedBackend;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextView;

import org.apache.arrow.memory.ArrowBuf;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Replaces every "secret" by "[X]". */
public final class FakeBackend extends ForwardingBackend {

    private static final Pattern SECRET = Pattern.compile("secret");
    private static final String REPLACEMENT = "[X]";

    private FakeBackend(OpenRequest request) {
        super(CpuBackend.open(request));
        replace(RedactPlan.class, plan -> redaction());
    }

    /** Such a backend, which at each call does what its script says before. */
    public static Backend open(OpenRequest request, Script script) throws BackendException {
        return ScriptedBackend.open("fake", FakeBackend::new, request, script);
    }

    /** As if it had a link. */
    @Override
    public long linkNanos() {
        return 3_999_999;
    }

    private CompiledProgram<RedactedBatch> redaction() {
        return new CompiledProgram<>() {
            @Override
            public Submission<RedactedBatch> submit(ColumnBatch batch) {
                return () -> redact(batch);
            }

            @Override
            public void close() {}
        };
    }

    private RedactedBatch redact(ColumnBatch batch) {
        TextView in = batch.text(0);
        ArrowBuf changed = allocator().buffer(in.rows());
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
                new BatchBuilder(allocator(), in.rows(), Math.max(1, bytes), in.separatorBytes())) {
            for (byte[] row : rows) {
                out.append(row, 0, row.length);
            }
            return new RedactedBatch(out.build(), changed, new long[] {matches}, 1_000_000)
                    .withHardRows(1);
        }
    }
}
