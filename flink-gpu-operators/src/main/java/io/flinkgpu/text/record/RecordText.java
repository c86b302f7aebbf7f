package io.flinkgpu.text.record;

import io.flinkgpu.text.views.View;
import io.flinkgpu.text.views.Views;

import org.apache.flink.annotation.Internal;

/**
 * A text that a record is searched as.
 *
 * @param bytes hold it from their start on; not to be written to
 * @param length its bytes
 * @param offset where what it was made of starts in the record
 * @param value what of the record's bytes from there on it was decoded from; null if nothing was
 * @param chain what that reads as under forms; null if this is not a view
 * @param rules those that apply to it; null for all
 */
@Internal
public record RecordText(
        byte[] bytes, int length, int offset, View value, Views.Chain chain, boolean[] rules) {

    /** Whether this is the record as it came. */
    boolean isPlain() {
        return chain == null && value == null && offset < 0;
    }

    /** Whether this is a value of the record, or a view of one. */
    boolean isPart() {
        return offset >= 0;
    }

    /** Where what a byte of the text is of starts in the record. */
    int start(int at) {
        int in = chain == null ? at : chain.sourceStart(at);
        return Math.max(0, offset) + (value == null ? in : value.sourceStart(in));
    }

    /** Where what a byte of the text is of ends in the record. */
    int end(int at) {
        int in = chain == null ? at + 1 : chain.sourceEnd(at);
        return Math.max(0, offset) + (value == null ? in : value.sourceEnd(in - 1));
    }
}
