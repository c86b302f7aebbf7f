package io.flinkgpu.backend.cuda;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;

import io.flinkgpu.api.expression.ColumnType;
import io.flinkgpu.api.expression.Redactions;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.PassPlan;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.TransformedBatch;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextView;
import io.flinkgpu.column.Vectors;
import io.flinkgpu.program.Pass;
import io.flinkgpu.program.Program;
import io.flinkgpu.program.ProgramCompiler;

/**
 * {@link Redactions#nameByVisibility()} over generated people on one GPU: with the columns on the
 * device, by the device's clock and by the host's, launch and synchronisation included; from host to
 * host with batches in flight, against plain copies of the same size over the same link; and on a core
 * of the CPU. Every result is first compared with the CPU backend's.
 */
public final class TransformGpuBench {

    private static final long MEMORY_LIMIT_BYTES = 3L << 30;
    private static final int[] ROWS = {600_000, 10_000_000};
    private static final int REPEATS = 200;
    private static final int IN_FLIGHT = 3;
    private static final int RUNS = 3;
    private static final long RUN_NANOS = 700_000_000L;
    private static final long LINK_BYTES = 256L << 20;
    private static final String[] FIRST_NAMES = {
        "John", "Mary", "Alexander", "Li", "Zo\u00eb", "Christopher"
    };
    private static final String[] LAST_NAMES = {
        "Doe", "Smith", "Featherstone", "Ng", "Anderson", "Fern\u00e1ndez"
    };

    private TransformGpuBench() {}

    public static void main(String[] args) throws Exception {
        PassPlan plan = plan();
        try (CudaBackend gpu = CudaBackend.open(MEMORY_LIMIT_BYTES, 0);
                CpuBackend cpu = CpuBackend.open(MEMORY_LIMIT_BYTES);
                CudaTransform onGpu = gpu.compile(new TransformPlan(plan));
                CompiledProgram<TransformedBatch> onCpu = cpu.compile(plan)) {
            double toDevice = linkRate(gpu, true);
            double toHost = linkRate(gpu, false);
            System.out.printf(
                    Locale.ROOT,
                    "%s, link %.1f GB/s to the device, %.1f GB/s to the host%n",
                    gpu.description(),
                    toDevice,
                    toHost);
            for (int rows : args.length == 0 ? ROWS : parse(args)) {
                try (ColumnBatch pinned = people(gpu.allocator(), rows);
                        ColumnBatch pageable = people(cpu.allocator(), rows)) {
                    report(rows, onGpu, pinned, onCpu, pageable, toDevice);
                }
            }
        }
    }

    private static int[] parse(String[] args) {
        return Arrays.stream(args).mapToInt(Integer::parseInt).toArray();
    }

    private static PassPlan plan() {
        Map<String, ColumnType> columns = new LinkedHashMap<>();
        columns.put("name", ColumnType.TEXT);
        columns.put("visibility", ColumnType.TEXT);
        Program program = ProgramCompiler.compile(columns, List.of(Redactions.nameByVisibility()));
        System.out.println(program.explain());
        List<Pass> passes = program.steps().stream().map(Pass.class::cast).toList();
        return new PassPlan(program.types(), passes, program.results());
    }

    private static void report(
            int rows,
            CudaTransform onGpu,
            ColumnBatch pinned,
            CompiledProgram<TransformedBatch> onCpu,
            ColumnBatch pageable,
            double toDevice)
            throws Exception {
        long outBytes = 0;
        // The second time the sizes of texts are known.
        for (int i = 0; i < 2; i++) {
            try (TransformedBatch actual = onGpu.submit(pinned).await();
                    TransformedBatch expected = onCpu.submit(pageable).await()) {
                outBytes = check(actual.columns(), expected.columns());
            }
        }
        long inBytes = 0;
        for (int column = 0; column < 2; column++) {
            inBytes += pinned.text(column).dataBytes() + 4 * (rows + 1L);
        }
        System.out.printf(
                Locale.ROOT,
                "%n%d rows, %.1f bytes a row in, %.1f out; equal to the CPU backend%n",
                rows,
                (double) inBytes / rows,
                (double) outBytes / rows);
        onDevice(onGpu, pinned, inBytes + outBytes);
        hostToHost(onGpu, pinned, inBytes, outBytes, toDevice);
        long start = System.nanoTime();
        long done = 0;
        while (System.nanoTime() - start < RUN_NANOS) {
            onCpu.submit(pageable).await().close();
            done += rows;
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(
                Locale.ROOT, "cpu, 1 core        %8.1f million rows/s%n", done / seconds / 1e6);
    }

    private static void onDevice(CudaTransform onGpu, ColumnBatch batch, long bytes)
            throws BackendException {
        double[] device = new double[REPEATS];
        double[] host = new double[REPEATS];
        TransformInput input = TransformInput.of(List.of(ColumnType.TEXT, ColumnType.TEXT), batch);
        try (TransformSlot slot = onGpu.newSlot()) {
            slot.start(input);
            slot.drain();
            for (int i = -10; i < REPEATS; i++) {
                long start = System.nanoTime();
                slot.enqueuePasses();
                slot.drain();
                if (i >= 0) {
                    host[i] = (System.nanoTime() - start) / 1e3;
                    device[i] = slot.kernelNanos() / 1e3;
                }
            }
        }
        Arrays.sort(device);
        Arrays.sort(host);
        double median = device[REPEATS / 2];
        System.out.printf(
                Locale.ROOT,
                "on the device      %8.1f us by events (least %.1f), %.1f us by the host's clock;"
                        + " %.0f GB/s%n",
                median,
                device[0],
                host[REPEATS / 2],
                bytes / median / 1e3);
    }

    private static void hostToHost(
            CudaTransform onGpu, ColumnBatch batch, long inBytes, long outBytes, double toDevice)
            throws BackendException {
        double[] rates = new double[RUNS];
        for (int run = 0; run < RUNS; run++) {
            Deque<Submission<TransformedBatch>> running = new ArrayDeque<>();
            long done = 0;
            long start = System.nanoTime();
            while (System.nanoTime() - start < RUN_NANOS) {
                running.add(onGpu.submit(batch));
                if (running.size() == IN_FLIGHT) {
                    running.poll().await().close();
                }
                done++;
            }
            while (!running.isEmpty()) {
                running.poll().await().close();
            }
            rates[run] = (double) done * inBytes / (System.nanoTime() - start);
        }
        Arrays.sort(rates);
        double median = rates[RUNS / 2];
        System.out.printf(
                Locale.ROOT,
                "host to host       %8.1f GB/s in (%.1f - %.1f), %.1f GB/s out, %.0f %% of the link"
                        + " to the device%n",
                median,
                rates[0],
                rates[RUNS - 1],
                median * outBytes / inBytes,
                100 * median / toDevice);
    }

    /** Plain copies of pinned memory, in GB/s. */
    private static double linkRate(CudaBackend gpu, boolean toDevice) throws BackendException {
        try (ArrowBuf host = gpu.allocator().buffer(LINK_BYTES);
                DeviceBuffer device = new DeviceBuffer(gpu.memory().device());
                CudaStream stream = new CudaStream(gpu.memory().pinned())) {
            device.reserve(LINK_BYTES);
            double best = 0;
            for (int i = 0; i < 8; i++) {
                long start = System.nanoTime();
                if (toDevice) {
                    stream.copyToDevice(device.address(), host.memoryAddress(), LINK_BYTES);
                } else {
                    stream.copyToHost(host.memoryAddress(), device.address(), LINK_BYTES);
                }
                stream.drain();
                best = Math.max(best, (double) LINK_BYTES / (System.nanoTime() - start));
            }
            return best;
        }
    }

    private static ColumnBatch people(BufferAllocator allocator, int rows) {
        Random random = new Random(1);
        byte[][] names = new byte[FIRST_NAMES.length * LAST_NAMES.length][];
        for (int i = 0; i < names.length; i++) {
            String name =
                    FIRST_NAMES[i % FIRST_NAMES.length] + " " + LAST_NAMES[i / FIRST_NAMES.length];
            names[i] = name.getBytes(StandardCharsets.UTF_8);
        }
        byte[][] visibilities = {bytes("public"), bytes("private")};
        List<FieldVector> vectors = new ArrayList<>();
        vectors.add(texts(allocator, "name", rows, random, names));
        vectors.add(texts(allocator, "visibility", rows, random, visibilities));
        return Vectors.batch(vectors, rows, 0);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static FieldVector texts(
            BufferAllocator allocator, String name, int rows, Random random, byte[][] values) {
        int[] chosen = random.ints(rows, 0, values.length).toArray();
        long total = Arrays.stream(chosen).mapToLong(i -> values[i].length).sum();
        try (ArrowBuf offsets = allocator.buffer(4 * (rows + 1L));
                ArrowBuf data = allocator.buffer(total)) {
            int end = 0;
            MemoryUtil.putInt(offsets.memoryAddress(), 0);
            for (int row = 0; row < rows; row++) {
                byte[] value = values[chosen[row]];
                MemoryUtil.copyToMemory(value, 0, data.memoryAddress() + end, value.length);
                end += value.length;
                MemoryUtil.putInt(offsets.memoryAddress() + 4 * (row + 1L), end);
            }
            offsets.writerIndex(4 * (rows + 1L));
            data.writerIndex(total);
            return Vectors.of(
                    ColumnType.TEXT, name, allocator, rows, 0, Arrays.asList(null, offsets, data));
        }
    }

    /** Fails unless both are the same; returns the bytes of a result. */
    private static long check(ColumnBatch actual, ColumnBatch expected) {
        TextView a = actual.text(0);
        TextView b = expected.text(0);
        boolean same =
                a.dataBytes() == b.dataBytes()
                        && same(a.dataAddress(), b.dataAddress(), a.dataBytes())
                        && same(a.offsetsAddress(), b.offsetsAddress(), 4 * (a.rows() + 1L))
                        && actual.vector(0).getNullCount() == 0
                        && expected.vector(0).getNullCount() == 0;
        if (!same) {
            throw new IllegalStateException("the GPU's result is not the CPU's");
        }
        return a.dataBytes() + 4 * (a.rows() + 1L);
    }

    private static boolean same(long a, long b, long bytes) {
        for (long i = 0; i < bytes; i++) {
            if (MemoryUtil.getByte(a + i) != MemoryUtil.getByte(b + i)) {
                return false;
            }
        }
        return true;
    }
}
