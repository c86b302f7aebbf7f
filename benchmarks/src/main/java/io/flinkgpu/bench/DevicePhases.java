package io.flinkgpu.bench;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.column.ColumnBatch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * What is the same for a job however long it is, a job after the other in one process: milliseconds until
 * all subtasks have opened, compiled, filled a place for each batch under way (which touches its memory
 * first), run these batches for the first time (which locks that memory), run them again, and closed.
 */
final class DevicePhases {

    private static final int JOBS = 5;

    private final Lab lab;
    private final LinesAxis.Work work;
    private final Map<String, Long> at = new LinkedHashMap<>();

    /**
     * @param work whose batches are all under way at once
     */
    DevicePhases(Lab lab, LinesAxis.Work work, int threads, int devices) {
        this.lab = lab;
        this.work = work;
        at.put("threads", (long) threads);
        at.put("devices", (long) devices);
    }

    /**
     * Adds the figures.
     *
     * @param open the backends of a job
     */
    void run(Callable<List<Backend>> open) throws Exception {
        for (long job = 1; job <= (lab.settings().quick() ? 2 : JOBS); job++) {
            at.put("job", job);
            job(open);
        }
    }

    private void job(Callable<List<Backend>> open) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(at.get("threads").intValue());
        List<List<ColumnBatch>> batches = new ArrayList<>();
        try {
            long start = System.nanoTime();
            List<Backend> backends = open.call();
            start = add("ms open", start);
            Programs<LineGroups> programs = LinesAxis.programs();
            List<CompiledProgram<LineGroups>> compiled = programs.on(backends);
            start = add("ms compile", start);
            List<Callable<List<ColumnBatch>>> fills = new ArrayList<>();
            backends.forEach(backend -> fills.add(() -> work.batches(backend.allocator())));
            for (Future<List<ColumnBatch>> filled : executor.invokeAll(fills)) {
                batches.add(filled.get());
            }
            start = add("ms fill", start);
            run(executor, compiled, batches);
            start = add("ms first", start);
            run(executor, compiled, batches);
            start = add("ms again", start);
            batches.forEach(some -> some.forEach(ColumnBatch::close));
            batches.clear();
            programs.close();
            List<Callable<Void>> closes = new ArrayList<>();
            for (Backend backend : backends) {
                closes.add(
                        () -> {
                            backend.close();
                            return null;
                        });
            }
            for (Future<Void> closed : executor.invokeAll(closes)) {
                closed.get();
            }
            add("ms close", start);
        } finally {
            batches.forEach(some -> some.forEach(ColumnBatch::close));
            executor.shutdown();
        }
    }

    /** Runs all batches of each program at once. */
    private static void run(
            ExecutorService executor,
            List<CompiledProgram<LineGroups>> programs,
            List<List<ColumnBatch>> batches)
            throws Exception {
        List<Callable<Void>> runs = new ArrayList<>();
        for (int i = 0; i < programs.size(); i++) {
            CompiledProgram<LineGroups> program = programs.get(i);
            List<ColumnBatch> own = batches.get(i);
            runs.add(
                    () -> {
                        List<Submission<LineGroups>> running = new ArrayList<>();
                        for (ColumnBatch batch : own) {
                            running.add(program.submit(batch));
                        }
                        for (Submission<LineGroups> one : running) {
                            one.await().close();
                        }
                        return null;
                    });
        }
        for (Future<Void> run : executor.invokeAll(runs)) {
            run.get();
        }
    }

    private long add(String unit, long start) throws IOException {
        long now = System.nanoTime();
        double millis = (now - start) / 1e6;
        lab.add(Figure.of("devices", Engines.GPU_THREADS, new LinkedHashMap<>(at), unit, millis));
        return now;
    }
}
