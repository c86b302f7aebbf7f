package io.flinkgpu.testkit;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Context;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Structure;
import io.flinkgpu.testkit.FormsOracle.Origins;
import io.flinkgpu.testkit.FormsOracle.Place;
import io.flinkgpu.testkit.PlainFields.Field;
import io.flinkgpu.testkit.PlainFields.Kind;
import io.flinkgpu.testkit.PlainFields.Token;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The definition of fields, as docs/rules.md has it: searches the record, and each decoded name and value, by the oracle
 * of forms, cuts what is found to names and values, and writes these so that the record is of its format afterwards.
 */
final class FieldsOracle implements Redactor {

    private static final Pattern ESCAPE =
            Pattern.compile(
                    "\\\\u[dD][89abAB][0-9a-fA-F]{2}\\\\u[dD][c-fC-F][0-9a-fA-F]{2}"
                            + "|\\\\u[0-9a-fA-F]{4}|\\\\x[0-9a-fA-F]{2}|\\\\.",
                    Pattern.DOTALL);

    private static final byte[] WITHHELD = "[MALFORMED]".getBytes(StandardCharsets.US_ASCII);

    private final FormsOracle forms = new FormsOracle();

    @Override
    public Redacted redact(RuleSet rules, byte[] hashKey, byte[][] rows) {
        byte[][] redacted = new byte[rows.length][];
        boolean[] changed = new boolean[rows.length];
        long[] matches = new long[rules.size()];
        for (int i = 0; i < rows.length; i++) {
            long[] counts = new long[rules.size()];
            boolean[] isChanged = new boolean[1];
            redacted[i] = redact(rules, hashKey, rows[i], counts, isChanged);
            changed[i] = isChanged[0];
            Arrays.setAll(matches, rule -> matches[rule] + counts[rule]);
        }
        return new Redacted(redacted, changed, matches);
    }

    private byte[] redact(
            RuleSet rules, byte[] hashKey, byte[] row, long[] counts, boolean[] changed) {
        Structure structure = rules.structure().orElseThrow();
        PlainFields fields = PlainFields.of(row, structure.format());
        if (fields == null) {
            List<Place> places = FormsOracle.united(forms.places(rules, hashKey, Origins.of(row)));
            byte[] redacted = plain(rules, hashKey, row, places, counts);
            boolean leavesOut = !structure.dropped().isEmpty() || !structure.kept().isEmpty();
            changed[0] = !places.isEmpty() || leavesOut && row.length > 0;
            return leavesOut && row.length > 0 ? WITHHELD : redacted;
        }
        List<int[]> leftOut = new ArrayList<>();
        collectLeftOut(structure, fields.fields(), leftOut);
        Places all = places(rules, hashKey, row, fields);
        List<Piece> pieces = new ArrayList<>();
        long[] numbers = new long[rules.size()];
        for (Place place : FormsOracle.united(all.places)) {
            counts[place.rule()]++;
            for (Token token : replaced(rules, hashKey, place, fields)) {
                boolean isOfRecord = all.ofRecord.contains(place.match());
                Action action = rules.rule(place.rule()).action();
                boolean keeps = place.keeps() && isAllOf(place, token, row);
                byte[] match =
                        action instanceof Action.Mask && isOfRecord && !keeps
                                ? part(place, token, row)
                                : place.match();
                Place one = new Place(place.from(), place.to(), place.rule(), match, keeps);
                byte[] text = FormsOracle.replacement(rules, hashKey, one, ++numbers[place.rule()]);
                pieces.add(piece(place, token, row, structure.format(), text));
            }
        }
        changed[0] = !pieces.isEmpty() || !leftOut.isEmpty();
        return written(row, pieces, leftOut);
    }

    /** Bytes of the record, and what stands for them. */
    private record Piece(int from, int to, byte[] text) {}

    /** All places, and the matches of those that are in the record as it came. */
    private record Places(List<Place> places, Set<byte[]> ofRecord) {}

    private Places places(RuleSet rules, byte[] hashKey, byte[] row, PlainFields fields) {
        Structure structure = rules.structure().orElseThrow();
        List<Integer> unbound = unbound(rules);
        Places all =
                new Places(new ArrayList<>(), Collections.newSetFromMap(new IdentityHashMap<>()));
        for (Place place : search(rules, unbound, true, hashKey, Origins.of(row))) {
            all.places.add(place);
            if (place.keeps()) {
                all.ofRecord.add(place.match());
            }
        }
        for (Token token : fields.tokens()) {
            boolean isValue = token.kind() == Kind.QUOTED || token.kind() == Kind.BARE;
            List<Integer> applied = new ArrayList<>();
            for (int rule = 0; rule < rules.size(); rule++) {
                List<String> paths = structure.bound().get(rules.rule(rule).name());
                if (paths == null || isValue && PlainFields.isOneOf(paths, token.path())) {
                    applied.add(rule);
                }
            }
            if (applied.size() > unbound.size() || token.hasEscapes()) {
                all.places.addAll(search(rules, applied, false, hashKey, fields.decoded(token)));
            }
        }
        return all;
    }

    private static List<Integer> unbound(RuleSet rules) {
        Structure structure = rules.structure().orElseThrow();
        List<Integer> unbound = new ArrayList<>();
        for (int rule = 0; rule < rules.size(); rule++) {
            if (!structure.bound().containsKey(rules.rule(rule).name())) {
                unbound.add(rule);
            }
        }
        return unbound;
    }

    /** The places that some of the rules find in a text. */
    private List<Place> search(
            RuleSet all, List<Integer> of, boolean isRecord, byte[] hashKey, Origins text) {
        if (of.isEmpty()) {
            return List.of();
        }
        List<Rule> some = new ArrayList<>();
        for (int rule : of) {
            Rule one = all.rule(rule);
            some.add(isRecord ? one : one.withContext(Context.NONE));
        }
        RuleSet rules = RuleSet.of(some);
        RuleSet formed = all.forms().isEmpty() ? rules : rules.withForms(all.forms());
        return forms.places(formed, hashKey, text).stream()
                .map(it -> new Place(it.from(), it.to(), of.get(it.rule()), it.match(), it.keeps()))
                .toList();
    }

    /** The names and values of which a place replaces something. */
    private List<Token> replaced(RuleSet rules, byte[] hashKey, Place place, PlainFields fields) {
        List<Token> touched =
                fields.tokens().stream()
                        .filter(it -> it.from() < place.to() && place.from() < it.to())
                        .toList();
        // In what is empty there is nothing to replace, but it is before what comes after it.
        List<Token> met = touched.stream().filter(it -> it.from() < it.to()).toList();
        boolean meetsValue = met.stream().anyMatch(it -> it.kind() != Kind.NAME);
        boolean isJson = rules.structure().orElseThrow().format() == Structure.Format.JSON;
        List<Token> replaced = new ArrayList<>();
        for (Token token : met) {
            boolean isReplaced =
                    token.kind() != Kind.NAME
                            || !meetsValue
                            || !isJson && token != touched.get(0)
                            || !search(rules, unbound(rules), false, hashKey, fields.decoded(token))
                                    .isEmpty();
            if (isReplaced) {
                replaced.add(token);
            }
        }
        return replaced;
    }

    /** What of a name or value a place replaces: escapes as a whole. */
    private static int[] span(Place place, Token token, byte[] row) {
        int from = Math.max(place.from(), token.from());
        int to = Math.min(place.to(), token.to());
        Matcher escape = ESCAPE.matcher(text(row, 0, token.to()));
        int[] span = {from, to};
        for (int at = token.from(); token.hasEscapes() && escape.find(at); at = escape.end()) {
            if (escape.start() < to && from < escape.end()) {
                span[0] = Math.min(span[0], escape.start());
                span[1] = Math.max(span[1], escape.end());
            }
        }
        return span;
    }

    /** Whether a place is in a token, and nothing in it is or cuts an escape. */
    private static boolean isAllOf(Place place, Token token, byte[] row) {
        int[] span = span(place, token, row);
        boolean decodes = token.hasEscapes() && text(row, span[0], span[1]).indexOf('\\') >= 0;
        return span[0] == place.from() && span[1] == place.to() && !decodes;
    }

    private static byte[] part(Place place, Token token, byte[] row) {
        return Arrays.copyOfRange(
                row, Math.max(place.from(), token.from()), Math.min(place.to(), token.to()));
    }

    private static Piece piece(
            Place place, Token token, byte[] row, Structure.Format format, byte[] text) {
        boolean isJson = format == Structure.Format.JSON;
        if (token.kind() == Kind.QUOTED || isJson && token.kind() == Kind.NAME) {
            int[] span = span(place, token, row);
            return new Piece(span[0], span[1], escaped(text));
        }
        if (isJson) {
            String string = '"' + text(escaped(text)) + '"';
            byte[] bytes = string.getBytes(StandardCharsets.ISO_8859_1);
            return new Piece(token.from(), token.to(), bytes);
        }
        int from = Math.max(place.from(), token.from());
        return new Piece(from, Math.min(place.to(), token.to()), bare(text, token.kind()));
    }

    /** The record with its pieces: of those that meet, one stands for all, the first. */
    private static byte[] written(byte[] row, List<Piece> pieces, List<int[]> leftOut) {
        boolean[] gone = new boolean[row.length];
        leftOut.forEach(it -> Arrays.fill(gone, it[0], it[1], true));
        byte[][] texts = new byte[row.length][];
        int reach = 0;
        for (Piece piece : pieces) {
            if (piece.from() >= reach && !gone[piece.from()]) {
                texts[piece.from()] = piece.text();
            }
            reach = Math.max(reach, piece.to());
        }
        for (Piece piece : pieces) {
            Arrays.fill(gone, piece.from(), piece.to(), true);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int at = 0; at < row.length; at++) {
            out.writeBytes(texts[at] == null ? new byte[0] : texts[at]);
            out.write(row, at, gone[at] ? 0 : 1);
        }
        return out.toByteArray();
    }

    private static byte[] plain(
            RuleSet rules, byte[] key, byte[] row, List<Place> places, long[] counts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int copied = 0;
        for (Place place : places) {
            out.write(row, copied, place.from() - copied);
            out.writeBytes(FormsOracle.replacement(rules, key, place, ++counts[place.rule()]));
            copied = place.to();
        }
        out.write(row, copied, row.length - copied);
        return out.toByteArray();
    }

    private static byte[] escaped(byte[] text) {
        StringBuilder out = new StringBuilder();
        for (char c : text(text).toCharArray()) {
            out.append(c == '"' || c == '\\' ? "\\" : "");
            out.append(c < ' ' ? String.format("\\u%04x", (int) c) : Character.toString(c));
        }
        return out.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] bare(byte[] text, Kind kind) {
        String ends = kind == Kind.BARE ? "[\\x00- \\x7f\"]" : "[\\x00- \\x7f\"=]";
        return text(text).replaceAll(ends, "_").getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Where fields that are left out stand, with what is between them and the next one, or the last that stays. */
    private static void collectLeftOut(Structure structure, List<Field> fields, List<int[]> to) {
        int lastThatStays = -1;
        for (int f = 0; f < fields.size(); f++) {
            Field field = fields.get(f);
            if (stays(structure, field)) {
                lastThatStays = f;
                collectLeftOut(structure, field.fields(), to);
            }
        }
        for (int f = 0; f < fields.size(); f++) {
            if (!stays(structure, fields.get(f))) {
                boolean isBefore = f < lastThatStays;
                int from = fields.get(f).from();
                int end = fields.get(f).to();
                to.add(
                        new int[] {
                            isBefore || f == 0 ? from : fields.get(f - 1).to(),
                            isBefore ? fields.get(f + 1).from() : end
                        });
            }
        }
    }

    private static boolean stays(Structure structure, Field field) {
        if (PlainFields.isIn(structure.dropped(), field.path())) {
            return false;
        }
        return structure.kept().isEmpty()
                || PlainFields.isIn(structure.kept(), field.path())
                || field.holdsFields() && PlainFields.isOnTheWay(structure.kept(), field.path());
    }

    private static String text(byte[] bytes) {
        return text(bytes, 0, bytes.length);
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
