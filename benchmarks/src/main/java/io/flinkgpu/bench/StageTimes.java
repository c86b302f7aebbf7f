package io.flinkgpu.bench;

import com.sun.management.ThreadMXBean;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** CPU time and heap that this thread takes for the stages of a way that many groups go, several times. */
public final class StageTimes {

    private final ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final int groups;
    private final Map<String, List<double[]>> stages = new LinkedHashMap<>();
    private final Map<String, long[]> round = new LinkedHashMap<>();

    /**
     * @param groups that go through each stage each time
     */
    public StageTimes(int groups) {
        this.groups = groups;
    }

    /** A stage. */
    @FunctionalInterface
    public interface Stage {
        void run() throws Exception;
    }

    public int groups() {
        return groups;
    }

    /** Runs a stage once more, for all or for some of the groups. */
    public void measure(String name, Stage stage) throws Exception {
        long bytes = thread.getCurrentThreadAllocatedBytes();
        long nanos = thread.getCurrentThreadCpuTime();
        stage.run();
        long[] sums = round.computeIfAbsent(name, of -> new long[2]);
        sums[0] += thread.getCurrentThreadCpuTime() - nanos;
        sums[1] += thread.getCurrentThreadAllocatedBytes() - bytes;
    }

    /** Called when all groups have gone through all stages once more. */
    public void endRound() {
        round.forEach(
                (name, sums) ->
                        stages.computeIfAbsent(name, of -> new ArrayList<>())
                                .add(
                                        new double[] {
                                            (double) sums[0] / groups, (double) sums[1] / groups
                                        }));
        round.clear();
    }

    /** Prints the median, the least and the most of the later half of all times. */
    public void print() {
        for (Map.Entry<String, List<double[]>> stage : stages.entrySet()) {
            List<double[]> all = stage.getValue();
            List<double[]> warm = all.subList(all.size() / 2, all.size());
            double[] nanos = warm.stream().mapToDouble(time -> time[0]).sorted().toArray();
            double[] bytes = warm.stream().mapToDouble(time -> time[1]).sorted().toArray();
            System.out.printf(
                    Locale.ROOT,
                    "%s: %.0f ns a group (%.0f - %.0f), %.0f bytes%n",
                    stage.getKey(),
                    nanos[nanos.length / 2],
                    nanos[0],
                    nanos[nanos.length - 1],
                    Arrays.stream(bytes).average().orElse(0));
        }
    }
}
