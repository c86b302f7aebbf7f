package io.flinkgpu.bench;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.TestRequests;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.rules.DefaultRules;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** What figures are measured with, and where they go. One thread's. */
final class Lab implements AutoCloseable {

    private static final long MEMORY_LIMIT_BYTES = 4L << 30;
    private static final long SUBTASK_LIMIT_BYTES = 512L << 20;
    private static final int SUBTASKS = 4;

    private final Settings settings;
    private final BenchInput input;
    private final PrintStream out;
    private final Deque<Backend> open = new ArrayDeque<>();
    private final Optional<CudaBackend> gpu;
    private final List<CpuBackend> cores = new ArrayList<>();
    private final List<CudaBackend> subtasks = new ArrayList<>();
    private final List<Figure> figures = new ArrayList<>();
    private Journal journal = figures -> {};
    private final RuleSet rules;
    private CompiledRules compiledRules;
    private Jobs jobs;

    Lab(Settings settings, PrintStream out) throws IOException, BackendException {
        this.settings = settings;
        this.out = out;
        input = BenchInput.of(settings.input());
        RuleSet defaults = DefaultRules.get();
        rules = settings.quick() ? RuleSet.of(defaults.rule(0)) : defaults;
        gpu = openGpu();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            cores.add(opened(CpuBackend.open(TestRequests.of(MEMORY_LIMIT_BYTES))));
        }
        for (int i = 0; gpu.isPresent() && i < SUBTASKS; i++) {
            subtasks.add(opened(CudaBackend.open(TestRequests.of(SUBTASK_LIMIT_BYTES))));
        }
    }

    private Optional<CudaBackend> openGpu() {
        try {
            return Optional.of(opened(CudaBackend.open(TestRequests.of(MEMORY_LIMIT_BYTES))));
        } catch (BackendException e) {
            out.println("no GPU, so only what needs none is measured: " + e.getMessage());
            return Optional.empty();
        }
    }

    private <B extends Backend> B opened(B backend) {
        open.push(backend);
        return backend;
    }

    Settings settings() {
        return settings;
    }

    BenchInput input() {
        return input;
    }

    /** The rules of what is not measured over rules: the defaults, or one if it must be quick. */
    RuleSet rules() {
        return rules;
    }

    CompiledRules compiledRules() {
        if (compiledRules == null) {
            compiledRules = RuleCompiler.compile(rules);
        }
        return compiledRules;
    }

    /** Where jobs run; started when it is first asked for. */
    Jobs jobs() throws Exception {
        if (jobs == null) {
            jobs = new Jobs();
        }
        return jobs;
    }

    /** What jobs are measured with: the CPU backend, and the GPU where there is one. */
    List<BackendChoice> choices() {
        return gpu.isPresent()
                ? List.of(BackendChoice.CPU, BackendChoice.CUDA)
                : List.of(BackendChoice.CPU);
    }

    /** The GPU where there is one. */
    BackendChoice best() {
        return gpu.isPresent() ? BackendChoice.CUDA : BackendChoice.CPU;
    }

    Optional<CudaBackend> gpu() {
        return gpu;
    }

    /** That of the first core. */
    CpuBackend cpu() {
        return cores.get(0);
    }

    /** A CPU backend for each core. */
    List<CpuBackend> cores() {
        return cores;
    }

    /** GPU backends as subtasks have them; none without a GPU. */
    List<CudaBackend> subtasks() {
        return subtasks;
    }

    /** Where figures are kept. */
    @FunctionalInterface
    interface Journal {
        void write(List<Figure> figures) throws IOException;
    }

    /** Writes all figures there are, now and whenever one is added. */
    void keepIn(Journal journal) throws IOException {
        this.journal = journal;
        journal.write(List.copyOf(figures));
    }

    /** Keeps a figure, and shows it. */
    void add(Figure figure) throws IOException {
        figures.add(figure);
        out.println(figure);
        journal.write(List.copyOf(figures));
    }

    /** Tells something beside the figures. */
    void say(String line) {
        out.println(line);
    }

    @Override
    public void close() {
        if (jobs != null) {
            jobs.close();
        }
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }
}
