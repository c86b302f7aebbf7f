package io.flinkgpu.text.record;

import io.flinkgpu.api.Form;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Structure;
import io.flinkgpu.text.fields.FieldScanner;
import io.flinkgpu.text.fields.Fields;
import io.flinkgpu.text.views.View;
import io.flinkgpu.text.views.Views;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Makes the texts that records are searched as. Of a record with fields those are the record, its views, each value that
 * has escapes or a rule bound to it, decoded, and the views of that. Not thread-safe.
 */
@Internal
public final class RecordTexts {

    private final Views views;

    /** Of escapes in quoted values. */
    private final Views escapes = new Views(Set.of(Form.JSON));

    /** Null for plain text. */
    private final FieldScanner scanner;

    private final boolean json;

    /** Whether a rule asks for a word in the record, which may be elsewhere than in a value. */
    private final boolean hasContexts;

    private boolean hasFields;
    private boolean isEmpty;

    public RecordTexts(RuleSet rules) {
        hasContexts = rules.rules().stream().anyMatch(rule -> !rule.context().isEmpty());
        views = new Views(rules.forms());
        scanner =
                rules.structure().map(structure -> FieldScanner.of(rules, structure)).orElse(null);
        json =
                rules.structure()
                        .filter(structure -> structure.format() == Structure.Format.JSON)
                        .isPresent();
    }

    /** Whether a record is plain text that has no views: cheaper than {@link #of}. */
    public boolean isPlain(byte[] record, int length) {
        hasFields = false;
        return scanner == null && !views.mayHaveAny(record, length);
    }

    /** The texts of a record; the first is the record itself. */
    public List<RecordText> of(byte[] record, int length) {
        List<RecordText> texts = new ArrayList<>();
        isEmpty = length == 0;
        hasFields = scanner != null && scanner.scan(record, length);
        boolean[] rules = hasFields ? scanner.rules().unbound() : null;
        texts.add(new RecordText(record, length, -1, null, null, rules));
        addViews(texts, record, length, -1, null, rules);
        if (hasFields) {
            for (Fields.Token token : scanner.fields().tokens()) {
                if ((token.escaped() || token.rules() != null) && token.to() > token.from()) {
                    addValue(texts, record, token, token.rules() == null ? rules : token.rules());
                }
            }
        }
        return texts;
    }

    /** The texts of a part of a record that is a name of a field. */
    List<RecordText> ofKey(byte[] record, Fields.Token key) {
        List<RecordText> texts = new ArrayList<>();
        addValue(texts, record, key, scanner.rules().unbound());
        return texts;
    }

    private void addValue(
            List<RecordText> texts, byte[] record, Fields.Token token, boolean[] rules) {
        byte[] raw = Arrays.copyOfRange(record, token.from(), token.to());
        View value = token.escaped() ? escapes.first(raw, raw.length) : null;
        byte[] bytes = value == null ? raw : value.bytes();
        int length = value == null ? raw.length : value.length();
        texts.add(new RecordText(bytes, length, token.from(), value, null, rules));
        addViews(texts, bytes, length, token.from(), value, rules);
    }

    private void addViews(
            List<RecordText> texts,
            byte[] bytes,
            int length,
            int offset,
            View value,
            boolean[] rules) {
        if (views.mayHaveAny(bytes, length)) {
            for (Views.Chain chain : views.of(bytes, length)) {
                texts.add(
                        new RecordText(chain.bytes(), chain.length(), offset, value, chain, rules));
            }
        }
    }

    /** Whether the last record has fields: it is of the structure's format. */
    public boolean hasFields() {
        return hasFields;
    }

    /** Whether what is found in a text by itself may be less than what is replaced there in its record. */
    public boolean needsRecord(RecordText text) {
        return hasContexts && text.isPart();
    }

    /** Whether a record that is not of the format, if one is wanted, may hold fields that are to be left out. */
    public boolean isWithheld() {
        return scanner != null && !hasFields && !isEmpty && scanner.rules().leavesOut();
    }

    /** The fields of the last record that has some. */
    public Fields fields() {
        return scanner.fields();
    }

    /** Whether something of the last record is left out. */
    public boolean isCut() {
        return hasFields && !scanner.fields().cuts().isEmpty();
    }

    /** Whether records are JSON, in which all texts have quotes. */
    boolean isJson() {
        return json;
    }

    /** As {@link FieldScanner#isBareByte}. */
    boolean isBareByte(byte b) {
        return scanner.isBareByte(b);
    }
}
