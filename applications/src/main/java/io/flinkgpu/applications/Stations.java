package io.flinkgpu.applications;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Made-up names of stations in UTF-8, each another, and the mean temperature of each. Most have six to
 * twelve bytes, some a blank or a letter outside ASCII.
 */
final class Stations {

    static final int MAX = 20_000_000;

    private static final String FIRST = "BCDFGHJKLMNPRSTVWXZÅ";
    private static final String CONSONANTS = "bcdfghjklmnprstvwxzñ";
    private static final String VOWELS = "aeiouyé";
    private static final String[] ENDINGS = {
        "", "", "", "", "n", "s", "r", "l", "ton", "stad", " Bay", "burg"
    };
    private static final int SYLLABLES = 140;
    private static final int LEAST_SYLLABLES = 3;

    private final byte[] names;

    /** Where each name starts, and where the last one ends. */
    private final int[] starts;

    private final short[] meanTenths;

    Stations(int count) {
        int syllables = LEAST_SYLLABLES;
        for (long names = 2_744_000; names < count; names *= SYLLABLES) {
            syllables++;
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        starts = new int[count + 1];
        meanTenths = new short[count];
        for (int station = 0; station < count; station++) {
            all.writeBytes(name(station, syllables).getBytes(StandardCharsets.UTF_8));
            starts[station + 1] = all.size();
            meanTenths[station] = (short) (Long.remainderUnsigned(mix(~station), 500) - 150);
        }
        names = all.toByteArray();
    }

    int count() {
        return meanTenths.length;
    }

    /** The mean of a station's temperatures. */
    int meanTenths(int station) {
        return meanTenths[station];
    }

    /** Copies a name; returns where it ends. */
    int copyName(int station, byte[] target, int at) {
        int length = starts[station + 1] - starts[station];
        System.arraycopy(names, starts[station], target, at, length);
        return at + length;
    }

    /** The first syllables, each of a consonant and a vowel, are the station's number. */
    private static String name(int station, int syllables) {
        StringBuilder name = new StringBuilder();
        // Multiplied by an odd prime, so that neighbours do not look alike; it stays one to one.
        long space = 1;
        for (int i = 0; i < syllables; i++) {
            space *= SYLLABLES;
        }
        long rest = station * 1_000_003L % space;
        for (int i = 0; i < syllables; i++) {
            int syllable = (int) (rest % SYLLABLES);
            rest /= SYLLABLES;
            name.append((i == 0 ? FIRST : CONSONANTS).charAt(syllable / VOWELS.length()));
            name.append(VOWELS.charAt(syllable % VOWELS.length()));
        }
        int ending = (int) Long.remainderUnsigned(mix(station), ENDINGS.length);
        return name.append(ENDINGS[ending]).toString();
    }

    /** A number that looks random; from the finalizer of SplitMix64. */
    static long mix(long number) {
        long z = (number + 1) * 0x9e3779b97f4a7c15L;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
