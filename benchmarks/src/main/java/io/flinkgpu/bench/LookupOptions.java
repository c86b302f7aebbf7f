package io.flinkgpu.bench;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.lookup.ElementType;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/**
 * What a command line of {@link LookupBench} says.
 *
 * @param axes that are measured; all if empty
 * @param backends that are measured; those that are there if empty
 * @param rows numbers of vectors of a table
 * @param type of the elements of those vectors
 * @param ids numbers of ids of a batch
 * @param skews exponents of the power law that ids follow
 * @param repeats measured runs after those to warm up
 * @param folder for base files
 * @param output folder for the report
 * @param quick whether sizes are tiny
 * @param rate samples a second of a job whose latency is measured
 * @param seconds of it that are counted, after as many that are not; no such job if 0
 * @param samples of a job at no rate
 * @param parallelisms of jobs
 * @param engines of jobs; all if empty
 */
record LookupOptions(
        List<String> axes,
        List<BackendChoice> backends,
        long[] rows,
        ElementType type,
        long[] ids,
        double[] skews,
        int repeats,
        Path folder,
        Path output,
        boolean quick,
        int rate,
        int seconds,
        long samples,
        long[] parallelisms,
        List<String> engines) {

    /**
     * @throws IllegalArgumentException with what is wrong
     */
    static LookupOptions parse(List<String> args) {
        boolean quick = args.contains("--quick");
        List<String> axes = new ArrayList<>();
        List<BackendChoice> backends = new ArrayList<>();
        long[] rows = quick ? longs("1000,10000") : longs("100000,1000000,10000000,100000000");
        ElementType type = ElementType.F32;
        long[] ids = quick ? longs("100,1000") : longs("100,1000,10000,100000,1000000");
        double[] skews = {0.8, LookupData.USUAL_SKEW, 1.2};
        int repeats = quick ? 2 : 20;
        int rate = quick ? 200 : 2_000;
        int seconds = quick ? 1 : 10;
        long samples = quick ? 2_000 : 200_000;
        long[] parallelisms = {1};
        List<String> engines = List.of();
        Path folder = Path.of("/dev/shm");
        Path output = Path.of("bench-report");
        Iterator<String> all = args.iterator();
        while (all.hasNext()) {
            String arg = all.next();
            switch (arg) {
                case "--quick" -> {}
                case "--backends" -> {
                    for (String name : value(arg, all).split(",")) {
                        backends.add(BackendChoice.valueOf(name.toUpperCase(Locale.ROOT)));
                    }
                }
                case "--rows" -> rows = longs(value(arg, all));
                case "--type" ->
                        type = ElementType.valueOf(value(arg, all).toUpperCase(Locale.ROOT));
                case "--ids" -> ids = longs(value(arg, all));
                case "--skews" ->
                        skews =
                                Arrays.stream(value(arg, all).split(","))
                                        .mapToDouble(Double::parseDouble)
                                        .toArray();
                case "--repeats" -> repeats = Integer.parseInt(value(arg, all));
                case "--rate" -> rate = Integer.parseInt(value(arg, all));
                case "--seconds" -> seconds = Integer.parseInt(value(arg, all));
                case "--samples" -> samples = Long.parseLong(value(arg, all));
                case "--parallelism" -> parallelisms = longs(value(arg, all));
                case "--engines" -> engines = List.of(value(arg, all).split(","));
                case "--folder" -> folder = Path.of(value(arg, all));
                case "--output" -> output = Path.of(value(arg, all));
                default -> {
                    if (arg.startsWith("-")) {
                        throw new IllegalArgumentException(
                                "no such option: '" + arg + "'; --help has them all");
                    }
                    axes.add(arg);
                }
            }
        }
        return new LookupOptions(
                axes,
                backends,
                rows,
                type,
                ids,
                skews,
                repeats,
                folder,
                output,
                quick,
                rate,
                seconds,
                samples,
                parallelisms,
                engines);
    }

    private static String value(String option, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new IllegalArgumentException(option + " needs a value; --help has an example");
        }
        return rest.next();
    }

    private static long[] longs(String list) {
        return Arrays.stream(list.split(",")).mapToLong(Long::parseLong).toArray();
    }

    boolean wants(String axis) {
        return axes.isEmpty() || axes.contains(axis);
    }

    /** By how much tables are smaller than Criteo's. */
    long parts(long usual) {
        return quick ? 1_000 : usual;
    }

    /** How often jobs are run. */
    int turns() {
        return quick ? 1 : 3;
    }

    /** The number of vectors where it is not varied. */
    long table() {
        return quick ? 10_000 : 10_000_000;
    }

    /** The number of ids where it is not varied. */
    int batchIds() {
        return quick ? 1_000 : 100_000;
    }
}
