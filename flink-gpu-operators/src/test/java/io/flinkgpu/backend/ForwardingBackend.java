package io.flinkgpu.backend;

import org.apache.arrow.memory.BufferAllocator;

import java.util.HashSet;
import java.util.Set;

/** Does what another backend does, for tests that change some of it. Owns the other. */
public class ForwardingBackend implements Backend {

    private final Backend backend;
    private final Set<Class<?>> replaced = new HashSet<>();
    private Engines own;

    protected ForwardingBackend(Backend backend) {
        this.backend = backend;
    }

    /** Has plans of a kind compiled by another engine. */
    protected final <R extends AutoCloseable, P extends Plan<R>> void replace(
            Class<P> kind, Engines.Engine<? super P, R> engine) {
        own = own == null ? Engines.of(kind, engine) : own.and(kind, engine);
        replaced.add(kind);
    }

    @Override
    public Placement placement() {
        return backend.placement();
    }

    @Override
    public BufferAllocator allocator() {
        return backend.allocator();
    }

    @Override
    public long linkNanos() {
        return backend.linkNanos();
    }

    @Override
    public <R extends AutoCloseable> CompiledProgram<R> compile(Plan<R> plan)
            throws BackendException {
        return replaced.contains(plan.getClass()) ? own.compile(plan, placement()) : forward(plan);
    }

    /** What the other backend makes of a plan. */
    protected final <R extends AutoCloseable> CompiledProgram<R> forward(Plan<R> plan)
            throws BackendException {
        return backend.compile(plan);
    }

    @Override
    public void close() {
        backend.close();
    }
}
