package io.flinkgpu.bench;

import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.cuda.lookup.GatheredModel;
import io.flinkgpu.embeddings.EmbeddingTables;
import io.flinkgpu.embeddings.Location;
import io.flinkgpu.embeddings.StoredTable;
import io.flinkgpu.testkit.TestRequests;

import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * What a scoring job on a GPU is compared with: the same samples in batches, whose vectors threads find on the host by the
 * same index and copy one after another to pinned memory; a plain copy brings them to the device, where the same kernels
 * compute the model. The threads of all subtasks are as many as there are cores.
 */
final class GatherScores extends AbstractStreamOperator<Tuple2<Long, Float>>
        implements OneInputStreamOperator<Tuple2<Long, byte[]>, Tuple2<Long, Float>> {

    private static final long serialVersionUID = 1L;

    private static final long MEMORY_LIMIT_BYTES = 1L << 30;
    private static final long HOST_BYTES = 64L << 30;
    private static final int MOST_ROWS = 4_096;

    /** With fewer a thread takes longer to start than to gather. */
    private static final int LEAST_ROWS = 64;

    private final LookupData data;
    private final SampleRequests samples;
    private final DensePlan model;
    private final Duration delay;

    private transient BufferAllocator allocator;
    private transient EmbeddingTables tables;
    private transient CudaBackend gpu;
    private transient GatheredModel scores;
    private transient ExecutorService threads;
    private transient int threadCount;
    private transient List<Long> due;
    private transient List<byte[]> messages;

    /** Counts batches, so that a timer of one that has left does nothing. */
    private transient long batch;

    /**
     * @param delay that a sample waits at most for others
     */
    GatherScores(LookupData data, SampleRequests samples, DensePlan model, Duration delay) {
        this.data = data;
        this.samples = samples;
        this.model = model;
        this.delay = delay;
    }

    @Override
    public void open() throws Exception {
        super.open();
        due = new ArrayList<>();
        messages = new ArrayList<>();
        int subtasks = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
        threadCount = Math.max(1, Runtime.getRuntime().availableProcessors() / subtasks);
        threads = Executors.newFixedThreadPool(threadCount);
        allocator = new RootAllocator();
        tables =
                new EmbeddingTables(
                        data.tables(), HOST_BYTES, allocator, System.getProperty("java.io.tmpdir"));
        gpu = CudaBackend.open(TestRequests.of(MEMORY_LIMIT_BYTES));
        scores = new GatheredModel(gpu, model, MOST_ROWS);
    }

    @Override
    public void processElement(StreamRecord<Tuple2<Long, byte[]>> element) throws Exception {
        Tuple2<Long, byte[]> sample = element.getValue();
        if (messages.isEmpty()) {
            long now = batch;
            getProcessingTimeService()
                    .registerTimer(
                            getProcessingTimeService().getCurrentProcessingTime()
                                    + delay.toMillis(),
                            time -> {
                                if (now == batch) {
                                    flush();
                                }
                            });
        }
        due.add(sample.f0);
        messages.add(sample.f1);
        if (messages.size() == MOST_ROWS) {
            flush();
        }
    }

    @Override
    public void finish() throws Exception {
        flush();
        super.finish();
    }

    private void flush() throws Exception {
        batch++;
        int rows = messages.size();
        if (rows == 0) {
            return;
        }
        int parts = Math.max(1, Math.min(threadCount, rows / LEAST_ROWS));
        List<Future<?>> others = new ArrayList<>();
        for (int part = 1; part < parts; part++) {
            int from = (int) ((long) rows * part / parts);
            int to = (int) ((long) rows * (part + 1) / parts);
            others.add(threads.submit(() -> gather(from, to)));
        }
        gather(0, rows / parts);
        for (Future<?> other : others) {
            other.get();
        }
        scores.score(rows);
        for (int row = 0; row < rows; row++) {
            output.collect(new StreamRecord<>(Tuple2.of(due.get(row), scores.score((long) row))));
        }
        due.clear();
        messages.clear();
    }

    private void gather(int from, int to) {
        for (int row = from; row < to; row++) {
            byte[] message = messages.get(row);
            long target = scores.inputAddress() + (long) Float.BYTES * model.inputWidth() * row;
            for (int i = 0; i < data.tables().size(); i++) {
                StoredTable table = tables.table(i);
                long location = table.index().find(SampleRequests.id(message, i));
                MemoryUtil.copyMemory(
                        table.address(Location.place(location)), target, LookupData.VECTOR_BYTES);
                target += LookupData.VECTOR_BYTES;
            }
            MemoryUtil.copyToMemory(
                    message,
                    samples.numbersAt(),
                    target,
                    (long) Float.BYTES * SampleRequests.NUMBERS);
        }
    }

    @Override
    public void close() throws Exception {
        if (threads != null) {
            threads.shutdownNow();
        }
        if (scores != null) {
            scores.close();
        }
        if (gpu != null) {
            gpu.close();
        }
        if (tables != null) {
            tables.close();
            allocator.close();
        }
        super.close();
    }
}
