package io.flinkgpu.backend.cpu;

import io.flinkgpu.program.TextPart;

/**
 * Makes an output text of a row of its pieces; one that is a whole String, or a part of one, is not
 * copied by way of a buffer.
 */
final class TextMaker {

    private final CharWriter buffer = new CharWriter();
    private final StringSlice only = new StringSlice();
    private int pieces;
    private boolean isNull;

    /** Begins a text. */
    void start() {
        pieces = 0;
        isNull = false;
    }

    /** Appends a piece; if it is null, so is the text. */
    void add(StringSlice piece, String[] texts) {
        if (piece.isNull()) {
            isNull = true;
        } else if (pieces == 0) {
            only.put(piece);
            pieces = 1;
        } else {
            useBuffer(texts);
            buffer.append(texts[piece.source], piece.begin, piece.end);
        }
    }

    /** Appends a piece with each code point mapped. */
    void addMapped(TextPart.Change change, StringSlice piece, String[] texts) {
        if (piece.isNull()) {
            isNull = true;
        } else {
            useBuffer(texts);
            buffer.append(change, texts[piece.source], piece.begin, piece.end);
        }
    }

    /** Appends a piece with all occurrences of a text replaced. */
    void addReplaced(StringSlice piece, String what, String with, String[] texts) {
        if (piece.isNull()) {
            isNull = true;
        } else {
            useBuffer(texts);
            buffer.appendReplaced(texts[piece.source], piece.begin, piece.end, what, with);
        }
    }

    /** The text, or null. */
    String text(String[] texts) {
        if (isNull) {
            return null;
        }
        return switch (pieces) {
            case 0 -> "";
            case 1 -> only.of(texts);
            default -> buffer.text();
        };
    }

    private void useBuffer(String[] texts) {
        if (pieces < 2) {
            buffer.start();
            if (pieces == 1) {
                buffer.append(texts[only.source], only.begin, only.end);
            }
            pieces = 2;
        }
    }
}
