package io.flinkgpu.manykeys;

import org.apache.flink.util.FileUtils;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * What windows of millions of keys do when they are stopped, moved and killed: times, bytes, and whether all
 * results are right.
 */
public final class Trials {

    private static final String HELP =
            """
            usage: rescale BACKEND KEYS        2 subtasks, then 4, then 1, by a savepoint in the canonical
                                               format, one in the native format and a checkpoint
                   incremental BACKEND KEYS [TIMES]
                                               checkpoints, 12 or so many, each after 1 % of the keys
                                               have changed
                   kill BACKEND ROWS TIMES     a process that is killed at random moments
            BACKEND: hashmap, rocksdb, universal (RocksDB that compacts files of like sizes) or changelog
            (RocksDB with a log of what changed)
            """;

    private static final int CHECKPOINTS = 12;

    private Trials() {}

    /** Ends with 0 if all results were right, 2 for a mistake of the caller. */
    public static void main(String[] args) throws Exception {
        if (args.length < 3) {
            System.err.print(HELP);
            System.exit(2);
        }
        Path folder = Files.createTempDirectory("trials");
        try {
            run(List.of(args), folder, System.out);
        } finally {
            FileUtils.deleteDirectory(folder.toFile());
        }
        System.exit(0);
    }

    private static void run(List<String> args, Path folder, PrintStream out) throws Exception {
        Backend backend = Backend.valueOf(args.get(1).toUpperCase(Locale.ROOT));
        int number = Integer.parseInt(args.get(2).replace("_", ""));
        switch (args.get(0)) {
            case "rescale" -> Rescale.run(backend, number, folder, out);
            case "incremental" ->
                    Incremental.run(
                            backend,
                            number,
                            args.size() > 3 ? Integer.parseInt(args.get(3)) : CHECKPOINTS,
                            folder,
                            out);
            case "kill" ->
                    Killed.run(
                            backend,
                            number,
                            Integer.parseInt(args.get(3)),
                            System.nanoTime(),
                            folder,
                            out);
            default -> throw new IllegalArgumentException("no such trial: " + args.get(0));
        }
    }
}
