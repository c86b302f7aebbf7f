package io.flinkgpu.bench;

import java.util.Arrays;

/** Whether engines give the same sums of results, as {@link KeysTally} has them. One thread's. */
final class Results {

    private final String name;
    private final KeysReport report;
    private long[] first;
    private String firstEngine;

    /**
     * @param name of what is computed
     */
    Results(String name, KeysReport report) {
        this.name = name;
        this.report = report;
    }

    /** Tells how many results the first engine has, and reports others that are different as a failure. */
    void compare(String engine, long[] found) {
        if (first == null) {
            first = found;
            firstEngine = engine;
            report.say(name + ": results=" + found[0] + ", rows in them=" + found[1]);
        } else if (!Arrays.equals(first, found)) {
            report.failed(
                    new IllegalStateException(
                            name
                                    + ": different results: "
                                    + firstEngine
                                    + "="
                                    + Arrays.toString(first)
                                    + ", "
                                    + engine
                                    + "="
                                    + Arrays.toString(found)));
        }
    }
}
