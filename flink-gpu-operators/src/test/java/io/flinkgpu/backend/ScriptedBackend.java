package io.flinkgpu.backend;

import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.column.ColumnBatch;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** What another backend does, and at each call what a script says before. */
public final class ScriptedBackend extends ForwardingBackend {

    private final Placement placement;
    private final Script script;

    private ScriptedBackend(Placement placement, Backend backend, Script script) {
        super(backend);
        this.placement = placement;
        this.script = script;
    }

    /** The CPU backend with a script. */
    public static Backend openCpu(OpenRequest request, Script script) throws BackendException {
        return open("scripted", CpuBackend::open, request, script);
    }

    /** A backend with a script. */
    public static Backend open(
            String name, BackendFactory factory, OpenRequest request, Script script)
            throws BackendException {
        String assigned = request.assignedDevice();
        script.on(Call.OPEN, assigned == null ? request.deviceSlot() : Integer.parseInt(assigned));
        Placement placement = new Placement(Placement.Kind.CPU, 0, name, request.sharers(1));
        return new ScriptedBackend(placement, factory.open(request), script);
    }

    /** What a test sees and steers: called before each call does its work. */
    public interface Script {

        Script NONE = (call, rows) -> {};

        /**
         * @param rows of the batch, or 0; for {@link Call#OPEN} the device slot, or the
         *     index of the GPU that is assigned
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
        APPLY,
        SUBMIT,
        AWAIT,
        CLOSE_PROGRAM,
        CLOSE
    }

    @Override
    public Placement placement() {
        return placement;
    }

    @Override
    public <R extends AutoCloseable> CompiledProgram<R> compile(Plan<R> plan)
            throws BackendException {
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
        return new ForwardingProgram<>(program) {
            @Override
            public List<Resident> residents() {
                return super.residents().stream().map(resident -> scripted(resident)).toList();
            }

            @Override
            public Submission<R> submit(ColumnBatch batch) throws BackendException {
                script.on(Call.SUBMIT, batch.rows());
                Submission<R> submission = super.submit(batch);
                return () -> {
                    script.on(Call.AWAIT, batch.rows());
                    return submission.await();
                };
            }

            @Override
            public void close() {
                super.close();
                unchecked(Call.CLOSE_PROGRAM);
            }
        };
    }

    private Resident scripted(Resident resident) {
        return new Resident() {
            @Override
            public void apply(ColumnBatch changes) throws BackendException {
                script.on(Call.APPLY, changes.rows());
                resident.apply(changes);
            }

            @Override
            public boolean changesBesideBatches() {
                return resident.changesBesideBatches();
            }

            @Override
            public long version() {
                return resident.version();
            }

            @Override
            public long bytes() {
                return resident.bytes();
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
