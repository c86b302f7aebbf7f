package io.flinkgpu.bench;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * One plan on the backends that ask for it, compiled once for each, whatever number of points is
 * measured with it. One thread's; the programs may be used by others meanwhile.
 *
 * @param <R> result of a batch
 */
final class Programs<R extends AutoCloseable> implements AutoCloseable {

    private final Plan<R> plan;
    private final Map<Backend, CompiledProgram<R>> compiled = new LinkedHashMap<>();

    Programs(Plan<R> plan) {
        this.plan = plan;
    }

    /** The program on each of these, in their order; compiling may take a second, so all at once. */
    List<CompiledProgram<R>> on(List<? extends Backend> backends) throws Exception {
        List<Backend> missing = new ArrayList<>(backends);
        missing.removeAll(compiled.keySet());
        if (!missing.isEmpty()) {
            compile(missing);
        }
        return backends.stream().map(compiled::get).toList();
    }

    private void compile(List<Backend> backends) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(backends.size());
        try {
            List<Future<CompiledProgram<R>>> made = new ArrayList<>();
            for (Backend backend : backends) {
                made.add(executor.submit(() -> backend.compile(plan)));
            }
            for (int i = 0; i < made.size(); i++) {
                compiled.put(backends.get(i), made.get(i).get());
            }
        } finally {
            executor.shutdown();
        }
    }

    @Override
    public void close() {
        compiled.values().forEach(CompiledProgram::close);
    }
}
