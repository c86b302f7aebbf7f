package io.flinkgpu.applications;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/**
 * Made-up news items by number, from 1 on: the same number gives the same text. One in {@link
 * #COPY_EVERY} is an edited copy of an earlier one: a word is replaced or left out, or it is announced as an
 * update.
 */
final class MadeUpNews implements Serializable {

    /** How far before a copy its original is, at most, but for copies between the two. */
    static final int MAX_DISTANCE = 1_000;

    private static final long serialVersionUID = 1L;

    private static final int COPY_EVERY = 100;
    private static final int MIN_SENTENCES = 5;
    private static final int MAX_SENTENCES = 8;
    private static final int CITIES = 1_000;
    private static final long COPIES_SEED = 0x636f7079;
    private static final long ITEMS_SEED = 0x6974656d;
    private static final long EDITS_SEED = 0x65646974;

    private static final String[] VERBS = {
        "counted",
        "repaired",
        "sold",
        "found",
        "ordered",
        "moved",
        "lost",
        "painted",
        "rented out",
        "tested",
        "gave away",
        "measured"
    };
    private static final String[] THINGS = {
        "bicycles", "street lamps", "apple trees", "library books", "tram tickets", "solar panels",
        "old maps", "park benches", "fishing boats", "church bells", "beehives", "ferry tickets"
    };
    private static final String[] PLACES = {
        "at the harbour", "behind the town hall", "near the old mill", "in the northern quarter",
        "along the river", "at the railway station", "on the market square", "by the lake"
    };
    private static final String[] DAYS = {
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"
    };

    private final People people = new People();
    private final String[] cities = new String[CITIES];

    MadeUpNews() {
        Stations stations = new Stations(CITIES);
        byte[] name = new byte[256];
        for (int i = 0; i < CITIES; i++) {
            int length = stations.copyName(i, name, 0);
            cities[i] = new String(name, 0, length, StandardCharsets.UTF_8);
        }
    }

    /** Which item this one is a copy of; that one is none itself. */
    OptionalLong original(long number) {
        if (!isCopy(number)) {
            return OptionalLong.empty();
        }
        SplitMix random = new SplitMix(SplitMix.mix(COPIES_SEED + number));
        long original = number - 1 - random.below((int) Math.min(MAX_DISTANCE, number - 1));
        while (isCopy(original)) {
            original--;
        }
        return OptionalLong.of(original);
    }

    private static boolean isCopy(long number) {
        return number > 1 && new SplitMix(SplitMix.mix(number)).below(COPY_EVERY) == 0;
    }

    String text(long number) {
        OptionalLong original = original(number);
        return original.isPresent()
                ? edited(
                        item(original.getAsLong()), new SplitMix(SplitMix.mix(EDITS_SEED + number)))
                : item(number);
    }

    private String item(long number) {
        SplitMix random = new SplitMix(SplitMix.mix(ITEMS_SEED + number));
        int sentences = MIN_SENTENCES + random.below(MAX_SENTENCES - MIN_SENTENCES + 1);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < sentences; i++) {
            text.append(i == 0 ? "" : " ").append(sentence(random));
        }
        return text.toString();
    }

    private String sentence(SplitMix random) {
        return String.join(
                " ",
                people.map(random.next()).name(),
                "of",
                pick(cities, random),
                pick(VERBS, random),
                Integer.toString(2 + random.below(900)),
                pick(THINGS, random),
                pick(PLACES, random),
                "on",
                pick(DAYS, random) + ".");
    }

    private static String edited(String text, SplitMix random) {
        String[] words = text.split(" ");
        int at = random.below(words.length);
        switch (random.below(3)) {
            case 0 -> words[at] = "[corrected]";
            case 1 -> words[at] = "";
            default -> {
                return "UPDATE: " + text.replace(".", " --");
            }
        }
        return String.join(" ", words);
    }

    private static String pick(String[] from, SplitMix random) {
        return from[random.below(from.length)];
    }
}
