package io.flinkgpu.sql.model;

import io.flinkgpu.operator.ProcessFailures;

import org.apache.flink.table.data.RowData;

import java.lang.reflect.Proxy;

/**
 * In the place of an answer that is not there: whoever reads or copies it gets the reason. That is the task thread, so
 * that a reason for which Flink ends the process reaches it as it is.
 */
final class MissingAnswer {

    private MissingAnswer() {}

    /** A row all of whose methods fail, whichever Flink's version has. */
    static RowData of(Throwable reason) {
        return (RowData)
                Proxy.newProxyInstance(
                        MissingAnswer.class.getClassLoader(),
                        new Class<?>[] {RowData.class},
                        (row, method, arguments) -> {
                            if (method.getDeclaringClass() == Object.class) {
                                return ofObject(row, method.getName(), arguments);
                            }
                            ProcessFailures.rethrow(reason);
                            throw new UnansweredException(reason);
                        });
    }

    /** Says nothing of the reason, which may have what is in a record. */
    private static Object ofObject(Object row, String method, Object[] arguments) {
        return switch (method) {
            case "equals" -> row == arguments[0];
            case "hashCode" -> System.identityHashCode(row);
            default -> "a row without an answer";
        };
    }
}
