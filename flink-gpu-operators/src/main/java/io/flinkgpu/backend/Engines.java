package io.flinkgpu.backend;

import org.apache.flink.annotation.Internal;

import java.util.HashMap;
import java.util.Map;

/** What a backend can run: for each kind of plan the engine that compiles it. Immutable. */
@Internal
public final class Engines {

    private final Map<Class<?>, Engine<?, ?>> byPlan;

    /**
     * Compiles plans of one kind.
     *
     * @param <P> the kind of plan
     * @param <R> result of a batch
     */
    @FunctionalInterface
    public interface Engine<P, R extends AutoCloseable> {

        CompiledProgram<R> compile(P plan) throws BackendException;
    }

    private Engines(Map<Class<?>, Engine<?, ?>> byPlan) {
        this.byPlan = byPlan;
    }

    /** A list of one engine. */
    public static <R extends AutoCloseable, P extends Plan<R>> Engines of(
            Class<P> kind, Engine<? super P, R> engine) {
        return new Engines(Map.of()).and(kind, engine);
    }

    /** These engines and one more, which takes the place of another for the same plans. */
    public <R extends AutoCloseable, P extends Plan<R>> Engines and(
            Class<P> kind, Engine<? super P, R> engine) {
        Map<Class<?>, Engine<?, ?>> more = new HashMap<>(byPlan);
        more.put(kind, engine);
        return new Engines(more);
    }

    /**
     * Compiles a plan with the engine for its kind.
     *
     * @param on where, for the error if there is none
     */
    @SuppressWarnings("unchecked") // An engine is put under the class of the plans it takes.
    public <R extends AutoCloseable> CompiledProgram<R> compile(Plan<R> plan, Placement on)
            throws BackendException {
        Engine<Plan<R>, R> engine = (Engine<Plan<R>, R>) byPlan.get(plan.getClass());
        if (engine == null) {
            throw new BackendException(
                    "the backend has no engine for this kind of plan: plan="
                            + plan.getClass().getSimpleName()
                            + ", backend="
                            + on
                            + "; add one to the backend's list of engines");
        }
        return engine.compile(plan);
    }
}
