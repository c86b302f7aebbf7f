import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.Rmm;
import ai.rapids.cudf.RmmAllocationMode;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * libcudf's part of the command {@code peers}, in a process of its own: a folder has the input, and gets
 * the result for the caller to check. Memory is from a pool of half of what the device has free. Times
 * are by the host's clock until the device is done, of whole calls.
 *
 * <pre>
 *   javac -cp cudf-26.08.1-cuda13.jar -d out benchmarks/src/cudf/java/Cudf*.java
 *   java -cp cudf-26.08.1-cuda13.jar:slf4j-api.jar:out CudfPeer FOLDER RUNS redact | names | groups
 *   java ... CudfPeer FOLDER RUNS csv FILE
 * </pre>
 *
 * A line {@code time NAME NANOS ...} is printed for each thing that was timed.
 */
public final class CudfPeer {

    private static final long POOL_ALIGNMENT = 256;

    private CudfPeer() {}

    /** Something to time; what it makes is closed. */
    @FunctionalInterface
    interface Timed {
        AutoCloseable run() throws Exception;
    }

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        int runs = Integer.parseInt(args[1]);
        long pool = Cuda.memGetInfo().free / 2 / POOL_ALIGNMENT * POOL_ALIGNMENT;
        Rmm.initialize(RmmAllocationMode.POOL, null, pool);
        switch (args[2]) {
            case "redact" -> CudfText.redact(folder, runs);
            case "names" -> CudfText.names(folder, runs);
            case "groups" -> CudfGroups.groups(folder, runs);
            case "csv" -> CudfGroups.csv(folder, runs, Path.of(args[3]));
            default -> throw new IllegalArgumentException("no such workload: " + args[2]);
        }
    }

    /** Prints how long each of some runs took, behind one that is not counted. */
    static void time(String name, int runs, Timed timed) throws Exception {
        long[] nanos = new long[runs];
        for (int i = -1; i < runs; i++) {
            Cuda.deviceSynchronize();
            long start = System.nanoTime();
            AutoCloseable result = timed.run();
            Cuda.deviceSynchronize();
            nanos[Math.max(0, i)] = System.nanoTime() - start;
            result.close();
        }
        System.out.printf(
                Locale.ROOT,
                "time %s %s%n",
                name,
                Arrays.stream(nanos).mapToObj(Long::toString).collect(Collectors.joining(" ")));
    }
}
