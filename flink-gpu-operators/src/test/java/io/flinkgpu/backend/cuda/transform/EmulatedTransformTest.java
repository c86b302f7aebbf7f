package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.ForwardingBackend;
import io.flinkgpu.backend.ForwardingProgram;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.TransformContract;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.cuda.redact.EmulatedBackend;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextColumns;
import io.flinkgpu.column.TextView;
import io.flinkgpu.testkit.TestRequests;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * The contract of expressions, kept by the kernel's own source on the CPU.
 *
 * <p>Covers: CudaTransform.
 */
class EmulatedTransformTest extends TransformContract {

    @Override
    protected Backend open() throws Exception {
        return new RedactsOnCpu(
                new EmulatedBackend(16 << 10, false), CpuBackend.open(TestRequests.of(64L << 20)));
    }

    @Override
    protected long pairs() {
        return super.pairs() / 10;
    }

    /** Passes are emulated, redactions, whose kernels have a test of their own, are not. */
    private static final class RedactsOnCpu extends ForwardingBackend {

        private final Backend cpu;

        RedactsOnCpu(Backend emulated, Backend cpu) {
            super(emulated);
            this.cpu = cpu;
            replace(RedactPlan.class, this::onCpu);
        }

        private CompiledProgram<RedactedBatch> onCpu(RedactPlan plan) throws BackendException {
            return new ForwardingProgram<>(cpu.compile(plan)) {
                @Override
                public Submission<RedactedBatch> submit(ColumnBatch batch) throws BackendException {
                    Submission<RedactedBatch> submission = super.submit(batch);
                    return () -> {
                        try (RedactedBatch result = submission.await()) {
                            return copy(result);
                        }
                    };
                }
            };
        }

        /** The texts in memory of the emulation: columns of one program share an allocator. */
        private RedactedBatch copy(RedactedBatch result) {
            TextView text = result.text();
            long offsetsBytes = 4L * (text.rows() + 1);
            try (ArrowBuf offsets = allocator().buffer(offsetsBytes);
                    ArrowBuf data = allocator().buffer(text.dataBytes())) {
                copy(text.offsetsAddress(), offsets, offsetsBytes);
                copy(text.dataAddress(), data, text.dataBytes());
                ColumnBatch columns =
                        TextColumns.of(
                                allocator(), text.rows(), offsets, data, text.separatorBytes());
                return new RedactedBatch(
                        columns,
                        allocator().buffer(text.rows()),
                        result.matchesPerRule(),
                        result.deviceNanos());
            }
        }

        private static void copy(long from, ArrowBuf to, long bytes) {
            MemoryUtil.copyMemory(from, to.memoryAddress(), bytes);
            to.writerIndex(bytes);
        }

        @Override
        public void close() {
            cpu.close();
            super.close();
        }
    }
}
