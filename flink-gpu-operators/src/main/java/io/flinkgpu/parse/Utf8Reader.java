package io.flinkgpu.parse;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Accepts UTF-8 as Unicode defines it: no overlong forms, no surrogates, nothing above U+10FFFF. */
final class Utf8Reader extends FieldReader {

    private final CharsetDecoder decoder =
            StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT);

    @Override
    boolean read(byte[] text, int from, int to) {
        int at = from;
        while (at < to && text[at] >= 0) {
            at++;
        }
        if (at == to) {
            return true;
        }
        try {
            decoder.decode(ByteBuffer.wrap(text, at, to - at));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    @Override
    String expected() {
        return "valid UTF-8";
    }
}
