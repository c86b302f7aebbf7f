package io.flinkgpu.text.record;

import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.Replacer;
import io.flinkgpu.text.fields.Fields;

import org.apache.flink.annotation.Internal;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Redacts one record after the other by all the texts that it reads as. This is the definition of forms and fields, in
 * docs/rules.md; backends come here for the records in which something was found. Not thread-safe.
 */
@Internal
public final class RecordRedactor {

    /** Stands for a record that may hold fields that are to be left out and is not of its format. */
    public static final String WITHHELD = "[MALFORMED]";

    private static final byte[] WITHHELD_BYTES = WITHHELD.getBytes(StandardCharsets.US_ASCII);

    private final RecordTexts texts;
    private final RecordSearch search;
    private final Replacer replacer;
    private final Output out = new Output();
    private boolean changed;

    /** The name that was searched by itself last, as several places may have a part of it. */
    private Fields.Token lastKey;

    private boolean lastKeyIsFound;
    private List<Finding> findings = List.of();

    /**
     * A place that was replaced.
     *
     * @param rule its index
     * @param from where it starts in the record
     * @param to where it ends
     * @param match the bytes of the match, as the text has them in which it was found
     */
    public record Finding(int rule, int from, int to, byte[] match) {}

    /**
     * @param hashKey the key of hash actions; empty when no rule needs one
     */
    public RecordRedactor(CompiledRules rules, byte[] hashKey) {
        texts = new RecordTexts(rules.ruleSet());
        search = new RecordSearch(rules);
        replacer = new Replacer(rules.ruleSet(), hashKey);
    }

    /**
     * Redacts {@code record[0, length)}.
     *
     * @param matchesPerRule the counters of replaced places, to be added to
     * @return the number of bytes of the result, which are the first of {@link #buffer()}
     */
    public int redact(byte[] record, int length, long[] matchesPerRule) {
        out.start(record, length);
        replacer.startRecord();
        List<RecordText> all = texts.of(record, length);
        List<Found> found = search.find(all);
        findings = new ArrayList<>();
        for (Found place : found) {
            matchesPerRule[place.rule()]++;
            findings.add(finding(place));
        }
        if (texts.isWithheld()) {
            out.withhold(WITHHELD_BYTES);
        } else if (texts.hasFields()) {
            replaceInFields(record, found);
            out.cut(texts.fields().cuts());
        } else {
            for (Found place : found) {
                int size = replacement(place, place.alone());
                out.replace(place.from(), place.to(), replacer.buffer(), size);
            }
        }
        out.finish();
        changed = out.isChanged();
        return out.length();
    }

    private static Finding finding(Found place) {
        return new Finding(
                place.rule(),
                place.from(),
                place.to(),
                Arrays.copyOfRange(place.text().bytes(), place.matchFrom(), place.matchTo()));
    }

    /** Makes what replaces a place; a mask keeps characters only if nothing was decoded. */
    private int replacement(Found place, boolean keeps) {
        byte[] bytes = place.text().bytes();
        return keeps
                ? replacer.replace(place.rule(), bytes, place.matchFrom(), place.matchTo())
                : replacer.replaceWhole(place.rule(), bytes, place.matchFrom(), place.matchTo());
    }

    /**
     * Replaces what places have of values; of names only where they have none, or are found by themselves, and of
     * logfmt those after the first token: what is there may be of a value. In what is empty there is nothing to replace.
     */
    private void replaceInFields(byte[] record, List<Found> found) {
        List<Fields.Token> tokens = texts.fields().tokens();
        int first = 0;
        for (Found place : found) {
            while (first < tokens.size() && tokens.get(first).to() <= place.from()) {
                first++;
            }
            int end = first;
            boolean inValues = false;
            for (; end < tokens.size() && tokens.get(end).from() < place.to(); end++) {
                inValues |= isValue(tokens.get(end));
            }
            for (int i = first; i < end; i++) {
                Fields.Token token = tokens.get(i);
                if (token.from() == token.to()) {
                    continue;
                }
                boolean isLater = i > first && !texts.isJson();
                if (isValue(token) || !inValues || isLater || isFoundAlone(record, token)) {
                    replaceIn(record, token, place);
                }
            }
        }
    }

    private static boolean isValue(Fields.Token token) {
        return token.kind() != Fields.Kind.KEY && token.to() > token.from();
    }

    private boolean isFoundAlone(byte[] record, Fields.Token key) {
        if (key != lastKey) {
            lastKey = key;
            lastKeyIsFound = !search.find(texts.ofKey(record, key)).isEmpty();
        }
        return lastKeyIsFound;
    }

    private void replaceIn(byte[] record, Fields.Token token, Found place) {
        int from = Math.max(token.from(), place.from());
        int to = Math.min(token.to(), place.to());
        boolean whole = from == place.from() && to == place.to();
        boolean keeps =
                place.alone() && whole && !(token.escaped() && out.hasEscape(token, from, to));
        // Of a mask a part has as many characters as it had, and keeps none.
        int size =
                !keeps && place.text().isPlain() && replacer.isMask(place.rule())
                        ? replacer.replaceWhole(place.rule(), record, from, to)
                        : replacement(place, keeps);
        byte[] replacement = replacer.buffer();
        boolean isKey = token.kind() == Fields.Kind.KEY;
        if (token.kind() == Fields.Kind.QUOTED || isKey && texts.isJson()) {
            out.replaceEscaped(token, from, to, replacement, size);
        } else if (texts.isJson()) {
            out.replaceByString(token, replacement, size);
        } else {
            boolean isName = isKey || token.kind() == Fields.Kind.WORD;
            replaceBare(from, to, replacement, size, isName);
        }
    }

    /** What would end a bare text is an underscore in it. */
    private void replaceBare(int from, int to, byte[] replacement, int size, boolean isName) {
        byte[] bare = new byte[size];
        for (int i = 0; i < size; i++) {
            boolean ends = isName && replacement[i] == '=';
            boolean stays = texts.isBareByte(replacement[i]) && !ends;
            bare[i] = stays ? replacement[i] : (byte) '_';
        }
        out.replace(from, to, bare, size);
    }

    /** Adds to counters what a search of a record as it came replaces, by all rules. */
    public void addPlainMatches(byte[] record, int length, long[] matchesPerRule) {
        RecordText plain = new RecordText(record, length, -1, null, null, null);
        search.find(List.of(plain)).forEach(place -> matchesPerRule[place.rule()]++);
    }

    /** Holds the last result until the next call. */
    public byte[] buffer() {
        return out.bytes();
    }

    /** Whether something was replaced or left out in the last record. */
    public boolean changed() {
        return changed;
    }

    /** What was replaced in the last record, in order. */
    public List<Finding> findings() {
        return findings;
    }
}
