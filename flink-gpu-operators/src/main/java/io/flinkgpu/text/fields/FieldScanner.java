package io.flinkgpu.text.fields;

import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Structure;

import org.apache.flink.annotation.Internal;

/** Finds the fields of records. Time is linear in the record. Not thread-safe. */
@Internal
public abstract sealed class FieldScanner permits JsonScanner, LogfmtScanner {

    private final FieldRules rules;
    final Fields fields = new Fields();

    /** The record under way, and where it ends. */
    byte[] record;

    int end;

    FieldScanner(FieldRules rules) {
        this.rules = rules;
    }

    /** The scanner for a structure. */
    public static FieldScanner of(RuleSet ruleSet, Structure structure) {
        FieldRules rules = new FieldRules(ruleSet, structure);
        return switch (structure.format()) {
            case JSON -> new JsonScanner(rules);
            case LOGFMT -> new LogfmtScanner(rules);
        };
    }

    /** Which rules apply where. */
    public final FieldRules rules() {
        return rules;
    }

    /**
     * Scans a record.
     *
     * @return whether it is of the format; then {@link #fields()} has what is in it
     */
    public final boolean scan(byte[] record, int length) {
        fields.clear();
        this.record = record;
        end = length;
        if (!isOfFormat()) {
            return false;
        }
        fields.endRecord();
        return true;
    }

    abstract boolean isOfFormat();

    final int skipSpaces(int from) {
        int at = from;
        while (at < end && isSpace(record[at])) {
            at++;
        }
        return at;
    }

    static boolean isSpace(byte b) {
        return b == ' ' || b == '\t' || b == '\r' || b == '\n';
    }

    /** What the last record has. */
    public final Fields fields() {
        return fields;
    }

    /** Whether a byte may stand in a text without quotes that is no number or word of the format's own. */
    public abstract boolean isBareByte(byte b);
}
