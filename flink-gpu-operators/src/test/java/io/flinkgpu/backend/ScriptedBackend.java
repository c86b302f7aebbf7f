package io.flinkgpu.backend;

import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.PassPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.text.CompiledRules;

import java.util.concurrent.atomic.AtomicInteger;

/** What another backend does, and at each call what a script says before. */
public final class ScriptedBackend extends ForwardingBackend {

    private final String description;
    private final Script script;

    private ScriptedBackend(String description, Backend backend, Script script) {
        super(backend);
        this.description = description;
        this.script = script;
    }

    /** The CPU backend with a script. */
    public static Backend openCpu(long memoryLimitBytes, int deviceSlot, Script script)
            throws BackendException {
        return open(
                "scripted",
                (limitBytes, slot) -> CpuBackend.open(limitBytes),
                memoryLimitBytes,
                deviceSlot,
                script);
    }

    /** A backend with a script. */
    public static Backend open(
            String description,
            BackendFactory factory,
            long memoryLimitBytes,
            int deviceSlot,
            Script script)
            throws BackendException {
        script.on(Call.OPEN, deviceSlot);
        return new ScriptedBackend(description, factory.open(memoryLimitBytes, deviceSlot), script);
    }

    /** What a test sees and steers: called before each call does its work. */
    public interface Script {

        Script NONE = (call, rows) -> {};

        /**
         * @param rows of the batch, or 0; for {@link Call#OPEN} the device slot
         */
        void on(Call call, int rows) throws BackendException;

        /** This script, which counts the backends that closed; those that hold memory do not. */
        default Script countingClosed(AtomicInteger closed) {
            return (call, rows) -> {
                if (call == Call.CLOSE) {
                    closed.incrementAndGet();
                }
                on(call, rows);
            };
        }
    }

    public enum Call {
        OPEN,
        COMPILE,
        SUBMIT,
        AWAIT,
        CLOSE_PROGRAM,
        CLOSE
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public CompiledProgram<RedactedBatch> compile(CompiledRules rules, byte[] hashKey)
            throws BackendException {
        script.on(Call.COMPILE, 0);
        return scripted(super.compile(rules, hashKey));
    }

    @Override
    public CompiledProgram<GroupedBatch> compile(AggregatePlan plan) throws BackendException {
        script.on(Call.COMPILE, 0);
        return scripted(super.compile(plan));
    }

    @Override
    public CompiledProgram<LineGroups> compile(LinePlan plan) throws BackendException {
        script.on(Call.COMPILE, 0);
        return scripted(super.compile(plan));
    }

    @Override
    public CompiledProgram<TransformedBatch> compile(PassPlan plan) throws BackendException {
        script.on(Call.COMPILE, 0);
        return scripted(super.compile(plan));
    }

    /** Throws if a byte is held, before the script sees the call. */
    @Override
    public void close() {
        super.close();
        unchecked(Call.CLOSE);
    }

    private <R extends AutoCloseable> CompiledProgram<R> scripted(CompiledProgram<R> program) {
        return new CompiledProgram<>() {
            @Override
            public Submission<R> submit(ColumnBatch batch) throws BackendException {
                script.on(Call.SUBMIT, batch.rows());
                Submission<R> submission = program.submit(batch);
                return () -> {
                    script.on(Call.AWAIT, batch.rows());
                    return submission.await();
                };
            }

            @Override
            public void close() {
                program.close();
                unchecked(Call.CLOSE_PROGRAM);
            }
        };
    }

    private void unchecked(Call call) {
        try {
            script.on(call, 0);
        } catch (BackendException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }
}
