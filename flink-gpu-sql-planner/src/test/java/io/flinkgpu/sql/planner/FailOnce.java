package io.flinkgpu.sql.planner;

import org.apache.flink.table.functions.ScalarFunction;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A condition that is true, takes its time, and fails a job once, at a row. */
public final class FailOnce extends ScalarFunction {

    private static final long serialVersionUID = 1L;

    private static final Set<String> FAILED = ConcurrentHashMap.newKeySet();

    static boolean hasFailed(String job) {
        return FAILED.contains(job);
    }

    /** Fails at one number, or at none if that is negative. */
    public boolean eval(String job, long failedRow, Long row) throws InterruptedException {
        if (row == failedRow && FAILED.add(job)) {
            throw new IllegalStateException("fails once");
        }
        if (row % 100 == 0) {
            Thread.sleep(5);
        }
        return true;
    }
}
