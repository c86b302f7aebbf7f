package io.flinkgpu.backend.plan;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.lines.Field;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.backend.SampleBatch;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.column.RowBatchBuilder;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.column.ValueBatchBuilder;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Makes batches of made-up rows, the same at each run, for plans to be measured with. */
final class Samples {

    private static final int SEED = 1;
    private static final int VARIANTS = 512;
    private static final int KEYS = 1_000;

    /** Of a query, and what it asks for. */
    private static final int ELEMENTS = 64;

    private static final int FEW_DOCUMENTS = 10;

    /** Of a bag, and of bags in a request for embeddings. */
    private static final int FEW_IDS = 4;

    private static final int MOST_BAGS = 26;

    /** Each {@code #} is a digit. */
    private static final String[] LOG_LINES = {
        "2026-03-1#T10:4#:17.###Z INFO  orders.Service - order ###### accepted in ### ms",
        "10.0.4#.1# - - \"GET /api/v1/items/######?page=# HTTP/1.1\" 200 #####",
        "{\"level\":\"info\",\"svc\":\"billing\",\"msg\":\"invoice ###### sent\",\"ms\":###}",
        "WARN  web.Gateway - slow upstream 10.1#.7.2#:8080 took ###### us, retry # of 1#",
        "INFO  auth - login of user######@example.org succeeded after ### ms, session 1#",
    };

    private Samples() {}

    /** Lines of logs, a row each. */
    static SampleBatch.Maker logLines() {
        byte[][] lines = logLines(new Random(SEED));
        return (allocator, maxRows, maxBytes) -> {
            try (BatchBuilder builder = new BatchBuilder(allocator, maxRows, maxBytes, 0)) {
                for (int i = 0; !builder.isFull(); i++) {
                    byte[] line = lines[i % VARIANTS];
                    if (!builder.append(line, 0, line.length)) {
                        break;
                    }
                }
                int bytes = builder.bytes();
                return new SampleBatch(builder.build(), bytes);
            }
        };
    }

    /** Columns of these types: short texts, numbers and conditions. */
    static SampleBatch.Maker columns(List<ColumnType> types) {
        List<String> names = new ArrayList<>();
        types.forEach(type -> names.add("c" + names.size()));
        return (allocator, maxRows, maxBytes) -> {
            Random random = new Random(SEED);
            byte[][] texts = words(random);
            RowValues row = new RowValues(types.size());
            try (RowBatchBuilder builder =
                    new RowBatchBuilder(allocator, maxRows, maxBytes, names, types)) {
                do {
                    for (int i = 0; i < types.size(); i++) {
                        switch (types.get(i).kind()) {
                            case TEXT, BYTES -> row.putText(i, texts[random.nextInt(VARIANTS)]);
                            case INT, LONG, DECIMAL, TIMESTAMP -> row.putWord(i, random.nextInt());
                            case FLOAT, DOUBLE ->
                                    row.putWord(i, Double.doubleToLongBits(random.nextDouble()));
                            case BOOLEAN -> row.putWord(i, random.nextInt(2));
                            case LIST, VECTOR -> throw types.get(i).refusedBy("a sample");
                        }
                    }
                } while (!builder.isFull() && builder.append(row));
                int bytes = builder.bytes();
                return new SampleBatch(builder.build(), bytes);
            }
        };
    }

    /** Queries of a search, which see no documents. */
    static SampleBatch.Maker queries() {
        List<ColumnType> types = SearchPlan.INPUT;
        List<String> names = types.stream().map(ColumnType::toString).toList();
        return (allocator, maxRows, maxBytes) -> {
            Random random = new Random(SEED);
            RowValues elements = new RowValues(ELEMENTS);
            RowValues row = new RowValues(types.size());
            for (int column = 0; column < types.size(); column++) {
                row.putWord(column, 0);
            }
            row.putWord(SearchPlan.K_COLUMN, FEW_DOCUMENTS);
            row.putList(SearchPlan.ELEMENTS_COLUMN, elements);
            try (RowBatchBuilder builder =
                    new RowBatchBuilder(allocator, maxRows, maxBytes, names, types)) {
                do {
                    int element = 0;
                    for (int i = 0; i < ELEMENTS; i++) {
                        element += 1 + random.nextInt(KEYS);
                        elements.putWord(i, element);
                    }
                } while (builder.append(row) && !builder.isFull());
                int bytes = builder.bytes();
                return new SampleBatch(builder.build(), bytes);
            }
        };
    }

    /** Requests for a few ids in each of some tables. */
    static SampleBatch.Maker requests(SmallTables tables) {
        return requests(tables, bags(tables.tables()), 0);
    }

    /** Requests of such bags, a few ids in each, and of so many numbers. */
    static SampleBatch.Maker requests(SmallTables tables, int[] kinds, int numbers) {
        List<ColumnType> types = EmbeddingPlan.INPUT;
        List<String> names = types.stream().map(ColumnType::toString).toList();
        int bags = kinds.length;
        return (allocator, maxRows, maxBytes) -> {
            Random random = new Random(SEED);
            RowValues ids = new RowValues(bags * FEW_IDS);
            RowValues places = new RowValues(bags);
            RowValues ends = new RowValues(bags);
            for (int bag = 0; bag < bags; bag++) {
                places.putWord(bag, kinds[bag]);
                ends.putWord(bag, (bag + 1) * FEW_IDS);
            }
            RowValues row = new RowValues(types.size());
            row.putList(EmbeddingPlan.IDS_COLUMN, ids);
            row.putList(EmbeddingPlan.BAGS_COLUMN, places);
            row.putList(EmbeddingPlan.BAG_ENDS_COLUMN, ends);
            row.putNull(EmbeddingPlan.WEIGHTS_COLUMN);
            RowValues dense = new RowValues(numbers);
            for (int i = 0; i < numbers; i++) {
                dense.putWord(i, 0);
            }
            row.putList(EmbeddingPlan.DENSE_COLUMN, dense);
            try (RowBatchBuilder builder =
                    new RowBatchBuilder(allocator, maxRows, maxBytes, names, types)) {
                do {
                    for (int i = 0; i < ids.columns(); i++) {
                        int table = EmbeddingPlan.table(kinds[i / FEW_IDS]);
                        ids.putWord(i, random.nextInt(tables.vectors(table)));
                    }
                } while (builder.append(row) && !builder.isFull());
                int bytes = builder.bytes();
                return new SampleBatch(builder.build(), bytes);
            }
        };
    }

    /** Bags that are summed, one of each of the first tables. */
    static int[] bags(EmbeddingTablesPlan tables) {
        int[] bags = new int[Math.min(MOST_BAGS, tables.tables().size())];
        Arrays.setAll(bags, table -> EmbeddingPlan.bag(table, Combiner.SUM));
        return bags;
    }

    /** How much longer the ids of a request may take on a GPU with the tables as they are. */
    static double moreNanos(SmallTables tables, int[] kinds) {
        return FEW_IDS
                * Arrays.stream(kinds)
                        .mapToDouble(kind -> tables.moreNanos(EmbeddingPlan.table(kind)))
                        .sum();
    }

    /** Numbers of a thousand keys in two slices. */
    static SampleBatch.Maker aggregates(AggregatePlan plan) {
        if (plan.key() != ColumnType.INT) {
            throw new IllegalArgumentException(
                    "samples have keys that are numbers: key=" + plan.key());
        }
        List<ColumnType> types = plan.values().stream().map(value -> value.type()).toList();
        return (allocator, maxRows, maxBytes) -> {
            Random random = new Random(SEED);
            RowValues row = new RowValues(types.size());
            try (ValueBatchBuilder builder =
                    new ValueBatchBuilder(allocator, maxRows, maxBytes, types)) {
                do {
                    for (int i = 0; i < types.size(); i++) {
                        double value = random.nextInt(100_000) / 10.0;
                        row.putWord(
                                i,
                                types.get(i).isFloating()
                                        ? Double.doubleToLongBits(value)
                                        : (long) value);
                    }
                    builder.append(random.nextInt(KEYS), 10_000L * random.nextInt(2), row);
                } while (!builder.isFull());
                int bytes = builder.bytes();
                return new SampleBatch(builder.build(), bytes);
            }
        };
    }

    /** Lines as a format has them, all in one row. */
    static SampleBatch.Maker lines(LinePlan plan) {
        Random random = new Random(SEED);
        StringBuilder block = new StringBuilder();
        for (int i = 0; i < VARIANTS; i++) {
            String separator = "";
            for (Field field : plan.format().fields()) {
                block.append(separator).append(text(field, random));
                separator = String.valueOf((char) plan.format().separator());
            }
            block.append('\n');
        }
        byte[] lines = block.toString().getBytes(StandardCharsets.US_ASCII);
        return (allocator, maxRows, maxBytes) -> {
            byte[] all = repeated(lines, maxBytes);
            try (BatchBuilder builder = new BatchBuilder(allocator, 1, all.length, 0)) {
                builder.append(all, 0, all.length);
                return new SampleBatch(builder.build(), all.length);
            }
        };
    }

    /** Whole lines of at most this many bytes in all, but at least one. */
    private static byte[] repeated(byte[] lines, int maxBytes) {
        int bytes = maxBytes;
        while (bytes > 0 && lines[(bytes - 1) % lines.length] != '\n') {
            bytes--;
        }
        while (bytes == 0 || lines[(bytes - 1) % lines.length] != '\n') {
            bytes++;
        }
        byte[] all = new byte[bytes];
        for (int at = 0; at < bytes; at += lines.length) {
            System.arraycopy(lines, 0, all, at, Math.min(lines.length, bytes - at));
        }
        return all;
    }

    private static byte[][] logLines(Random random) {
        byte[][] lines = new byte[VARIANTS][];
        for (int i = 0; i < VARIANTS; i++) {
            lines[i] = withDigits(LOG_LINES[i % LOG_LINES.length], random);
        }
        return lines;
    }

    private static byte[] withDigits(String pattern, Random random) {
        byte[] bytes = pattern.getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '#') {
                bytes[i] = (byte) ('0' + random.nextInt(10));
            }
        }
        return bytes;
    }

    /** Some bytes of each of some lines, two dozen of them. */
    private static byte[][] words(Random random) {
        byte[][] words = logLines(random);
        for (int i = 0; i < words.length; i++) {
            int from = random.nextInt(8);
            words[i] = Arrays.copyOfRange(words[i], from, from + 8 + random.nextInt(32));
        }
        return words;
    }

    private static String text(Field field, Random random) {
        return switch (field.format()) {
            case STRING -> "key-" + random.nextInt(KEYS);
            case INT, LONG -> String.valueOf(random.nextInt(2_000) - 1_000);
            case DECIMAL -> decimal(field.type(), random);
            case DOUBLE -> String.valueOf(random.nextInt(20_000) / 10.0 - 1_000);
            case EPOCH_MILLIS -> String.valueOf(1_760_000_000_000L + random.nextInt(60_000));
            case ISO_TIMESTAMP -> "2026-03-01T10:17:" + (10 + random.nextInt(50)) + "Z";
            case SKIPPED -> "x";
        };
    }

    private static String decimal(ColumnType type, Random random) {
        int whole = Math.min(2, type.precision() - type.scale());
        String sign = random.nextBoolean() ? "-" : "";
        String digits = String.valueOf(100 + random.nextInt(100)).substring(1, 1 + whole);
        return sign + digits + (type.scale() > 0 ? "." + random.nextInt(10) : "");
    }
}
