package io.flinkgpu.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes text that keeps a matcher of a regex busy for long. */
final class NearMatches {

    private static final int MAX_PREFIX = 60;

    private NearMatches() {}

    /**
     * Long rows of pieces that a match could start with. A piece grows by characters after which {@code
     * java.util.regex} still asks for more input.
     */
    static List<byte[]> rows(String regex, Random random, int lengthBytes) {
        String prefix = prefix(regex, random);
        if (prefix.isEmpty()) {
            throw new IllegalArgumentException("no match starts with printable ASCII: " + regex);
        }
        String cut = prefix.substring(0, Math.max(1, prefix.length() - 1));
        String end = prefix.substring(prefix.length() - Math.min(2, prefix.length()));
        List<byte[]> rows = new ArrayList<>();
        for (String[] headAndBody : new String[][] {{"", prefix}, {"", cut}, {cut, end}}) {
            StringBuilder row = new StringBuilder(headAndBody[0]);
            while (row.length() < lengthBytes) {
                row.append(headAndBody[1]);
            }
            byte[] bytes = new byte[lengthBytes];
            for (int i = 0; i < lengthBytes; i++) {
                bytes[i] = (byte) row.charAt(i);
            }
            rows.add(bytes);
        }
        return rows;
    }

    private static String prefix(String regex, Random random) {
        Pattern pattern = OracleRedactor.compile(regex);
        StringBuilder prefix = new StringBuilder();
        boolean grew = true;
        while (grew && prefix.length() < MAX_PREFIX) {
            grew = false;
            int first = random.nextInt(95);
            for (int i = 0; i < 95 && !grew; i++) {
                prefix.append((char) (' ' + (first + i) % 95));
                Matcher matcher = pattern.matcher(prefix);
                // Transparent, so that a look-ahead at the end counts as asking for more.
                matcher.useTransparentBounds(true);
                matcher.lookingAt();
                grew = matcher.hitEnd();
                if (!grew) {
                    prefix.setLength(prefix.length() - 1);
                }
            }
        }
        return prefix.toString();
    }
}
