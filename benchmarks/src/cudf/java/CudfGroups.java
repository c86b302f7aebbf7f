import ai.rapids.cudf.CSVOptions;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.GroupByAggregation;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.HostMemoryBuffer;
import ai.rapids.cudf.QuoteStyle;
import ai.rapids.cudf.Schema;
import ai.rapids.cudf.Table;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Minimum, maximum and mean of lines {@code station;-12.3} by station. A result is the file {@code
 * groups}: lines of station, minimum and maximum in tenths, and mean, with a tab between.
 */
final class CudfGroups {

    /** CSV is read in pieces of so many bytes: its reader counts characters by 32 bits. */
    private static final long PIECE_BYTES = 1L << 30;

    /** Threads that read pieces at once; each has a stream of its own. */
    private static final int READERS = 4;

    private static final Schema SCHEMA =
            Schema.builder().column(DType.STRING, "station").column(DType.FLOAT64, "temp").build();
    private static final CSVOptions FORMAT =
            CSVOptions.builder().withDelim(';').withQuoteStyle(QuoteStyle.NONE).build();

    private CudfGroups() {}

    /** Groups the columns that the CSV reader makes of {@code lines}; only the grouping is timed. */
    static void groups(Path folder, int runs) throws Exception {
        Path file = folder.resolve("lines");
        try (Table rows = read(file, 0, Files.size(file))) {
            System.out.println("rows " + rows.getRowCount());
            CudfPeer.time(
                    "groups",
                    runs,
                    () ->
                            rows.groupBy(0)
                                    .aggregate(
                                            GroupByAggregation.min().onColumn(1),
                                            GroupByAggregation.max().onColumn(1),
                                            GroupByAggregation.mean().onColumn(1)));
            try (Table groups = grouped(rows)) {
                write(folder.resolve("groups"), groups);
            }
        }
    }

    /** Reads a file and groups its rows, all of it timed. */
    static void csv(Path folder, int runs, Path file) throws Exception {
        CudfPeer.time("csv", runs, () -> groups(file));
        try (Table groups = groups(file)) {
            write(folder.resolve("groups"), groups);
        }
    }

    /** Groups of pieces, merged. */
    private static Table groups(Path file) throws Exception {
        List<Long> ends = pieceEnds(file);
        ExecutorService readers = Executors.newFixedThreadPool(READERS);
        List<Table> parts = new ArrayList<>();
        try {
            List<Future<Table>> reading = new ArrayList<>();
            for (int i = 0; i < ends.size(); i++) {
                long from = i == 0 ? 0 : ends.get(i - 1);
                long bytes = ends.get(i) - from;
                reading.add(
                        readers.submit(
                                () -> {
                                    try (Table rows = read(file, from, bytes)) {
                                        return grouped(rows);
                                    }
                                }));
            }
            for (Future<Table> part : reading) {
                parts.add(part.get());
            }
            return merged(parts);
        } finally {
            readers.shutdown();
            parts.forEach(Table::close);
        }
    }

    private static Table read(Path file, long from, long bytes) throws IOException {
        try (HostMemoryBuffer text =
                HostMemoryBuffer.mapFile(file.toFile(), MapMode.READ_ONLY, from, bytes)) {
            return Table.readCSV(SCHEMA, FORMAT, text, 0, bytes);
        }
    }

    /** Station, minimum, maximum, sum, count. */
    private static Table grouped(Table rows) {
        return rows.groupBy(0)
                .aggregate(
                        GroupByAggregation.min().onColumn(1),
                        GroupByAggregation.max().onColumn(1),
                        GroupByAggregation.sum().onColumn(1),
                        GroupByAggregation.count().onColumn(1));
    }

    private static Table merged(List<Table> parts) {
        if (parts.size() == 1) {
            return regrouped(parts.get(0));
        }
        try (Table all = Table.concatenate(parts.toArray(new Table[0]))) {
            return regrouped(all);
        }
    }

    private static Table regrouped(Table groups) {
        return groups.groupBy(0)
                .aggregate(
                        GroupByAggregation.min().onColumn(1),
                        GroupByAggregation.max().onColumn(2),
                        GroupByAggregation.sum().onColumn(3),
                        GroupByAggregation.sum().onColumn(4));
    }

    /** Where pieces end, each behind a line. */
    private static List<Long> pieceEnds(Path file) throws IOException {
        List<Long> ends = new ArrayList<>();
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "r")) {
            long length = bytes.length();
            for (long end = 0; end < length; ends.add(end)) {
                end = Math.min(length, end + PIECE_BYTES);
                bytes.seek(end - 1);
                while (end < length && bytes.read() != '\n') {
                    end++;
                }
            }
        }
        return ends;
    }

    private static void write(Path file, Table groups) throws IOException {
        List<String> lines = new ArrayList<>();
        try (HostColumnVector station = groups.getColumn(0).copyToHost();
                HostColumnVector min = groups.getColumn(1).copyToHost();
                HostColumnVector max = groups.getColumn(2).copyToHost();
                HostColumnVector sum = groups.getColumn(3).copyToHost();
                HostColumnVector count = groups.getColumn(4).copyToHost()) {
            boolean ints = count.getType().equals(DType.INT32);
            for (int i = 0; i < groups.getRowCount(); i++) {
                long rows = ints ? count.getInt(i) : count.getLong(i);
                lines.add(
                        station.getJavaString(i)
                                + "\t"
                                + Math.round(10 * min.getDouble(i))
                                + "\t"
                                + Math.round(10 * max.getDouble(i))
                                + "\t"
                                + sum.getDouble(i) / rows);
            }
        }
        Files.write(file, lines);
    }
}
