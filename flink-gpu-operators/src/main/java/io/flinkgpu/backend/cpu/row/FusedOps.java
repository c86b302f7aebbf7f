package io.flinkgpu.backend.cpu.row;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;

/**
 * Makes one operation of several. A loop over them would cost a call that the compiler cannot foresee for
 * each; method handles are compiled as the one method that they add up to, and their operations into it.
 */
final class FusedOps {

    private static final MethodType TYPE = MethodType.methodType(void.class, String[].class);
    private static final MethodHandle RUN = run();

    private FusedOps() {}

    /** The operations one after the other. */
    static StringOp of(List<StringOp> ops) {
        if (ops.isEmpty()) {
            return texts -> {};
        }
        MethodHandle all = handle(ops);
        return texts -> {
            try {
                all.invokeExact(texts);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException("no operation declares an exception: " + e, e);
            }
        };
    }

    private static MethodHandle handle(List<StringOp> ops) {
        if (ops.size() == 1) {
            return RUN.bindTo(ops.get(0));
        }
        int half = ops.size() / 2;
        return MethodHandles.foldArguments(
                handle(ops.subList(half, ops.size())), handle(ops.subList(0, half)));
    }

    private static MethodHandle run() {
        try {
            return MethodHandles.lookup().findVirtual(StringOp.class, "run", TYPE);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
