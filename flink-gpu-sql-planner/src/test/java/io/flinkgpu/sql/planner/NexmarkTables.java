package io.flinkgpu.sql.planner;

import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;

import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * The connector {@code nexmark}: events of an online auction house, of which in each fifty the first is a person that
 * signs up, three are auctions and the others bids. Each event is a function of its number alone.
 */
public final class NexmarkTables implements DynamicTableSourceFactory {

    private static final ConfigOption<Long> COUNT =
            ConfigOptions.key("count").longType().noDefaultValue();

    private static final int ROUND = 50;
    private static final int AUCTIONS = 3;
    private static final long START = 1_700_000_000_000L;
    private static final int MILLIS_APART = 10;

    private static final List<String> STATES = List.of("OR", "ID", "CA", "WA", "AZ", "WY");
    private static final List<String> CITIES = List.of("Portland", "Boise", "Phoenix", "Zürich");
    private static final List<String> CHANNELS = List.of("Apple", "Google", "Facebook", "Baidu");
    private static final List<String> NAMES = List.of("Ada Ray", "Kim Lee", "José Díaz", "Li Wei");

    /** What runs where the next job has made half of its events; null for nothing. */
    private static volatile Runnable halfway;

    static void atHalf(Runnable action) {
        halfway = action;
    }

    private static void noteHalf() {
        Runnable action = halfway;
        if (action != null) {
            halfway = null;
            action.run();
        }
    }

    @Override
    public String factoryIdentifier() {
        return "nexmark";
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of(COUNT);
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of();
    }

    @Override
    public DynamicTableSource createDynamicTableSource(Context context) {
        long count = FactoryUtil.createTableFactoryHelper(this, context).getOptions().get(COUNT);
        long half = count / 2;
        return GeneratedTable.of(
                "nexmark",
                context,
                count,
                0,
                number -> {
                    if (number == half) {
                        noteHalf();
                    }
                    return event(number);
                });
    }

    private static RowData event(long number) {
        Random random = new Random(number * 0x9E3779B97F4A7C15L);
        long round = number / ROUND;
        int place = (int) (number % ROUND);
        TimestampData at = TimestampData.fromEpochMillis(START + number * MILLIS_APART);
        GenericRowData event = new GenericRowData(4);
        event.setField(0, Math.min(2, place == 0 ? 0 : place <= AUCTIONS ? 1 : 2));
        if (place == 0) {
            event.setField(1, person(random, round, at));
        } else if (place <= AUCTIONS) {
            event.setField(2, auction(random, round * AUCTIONS + place - 1, round, at));
        } else {
            event.setField(3, bid(random, round, at));
        }
        return event;
    }

    private static RowData person(Random random, long id, TimestampData at) {
        String name = any(random, NAMES);
        return GenericRowData.of(
                id,
                text(name),
                text(name.replace(' ', '.') + "@example.com"),
                text("%04d %04d".formatted(random.nextInt(10_000), random.nextInt(10_000))),
                text(any(random, CITIES)),
                text(any(random, STATES)),
                at,
                extra(random));
    }

    private static RowData auction(Random random, long id, long persons, TimestampData at) {
        long initial = 1 + random.nextInt(10_000);
        return GenericRowData.of(
                id,
                text("item " + random.nextInt(1000)),
                extra(random),
                initial,
                initial + random.nextInt(10_000),
                at,
                TimestampData.fromEpochMillis(at.getMillisecond() + 1 + random.nextInt(20_000)),
                near(random, persons),
                10L + random.nextInt(5),
                extra(random));
    }

    private static RowData bid(Random random, long round, TimestampData at) {
        boolean known = random.nextBoolean();
        int channel = random.nextInt(10_000);
        String path =
                "https://www.example.com/%s/%s/%s/item.htm?query=1"
                        .formatted(word(random), word(random), word(random));
        return GenericRowData.of(
                near(random, round * AUCTIONS + AUCTIONS - 1),
                near(random, round),
                (long) Math.pow(10, 2 + random.nextDouble() * 5),
                text(known ? any(random, CHANNELS) : "channel-" + channel),
                text(known || random.nextInt(10) == 0 ? path : path + "&channel_id=" + channel),
                at,
                extra(random));
    }

    /** A number that was given before, mostly one of the last. */
    private static long near(Random random, long last) {
        return Math.max(
                0, last - (random.nextInt(10) == 0 ? random.nextInt(200) : random.nextInt(4)));
    }

    private static StringData extra(Random random) {
        StringBuilder extra = new StringBuilder();
        for (int i = random.nextInt(20); i >= 0; i--) {
            extra.append(word(random)).append(' ');
        }
        return text(extra.toString());
    }

    private static String word(Random random) {
        StringBuilder word = new StringBuilder();
        for (int i = random.nextInt(6); i >= 0; i--) {
            word.append((char) ('a' + random.nextInt(26)));
        }
        return word.toString();
    }

    private static String any(Random random, List<String> values) {
        return values.get(random.nextInt(values.size()));
    }

    private static StringData text(String text) {
        return StringData.fromString(text);
    }
}
