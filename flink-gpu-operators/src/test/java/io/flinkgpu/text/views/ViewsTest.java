package io.flinkgpu.text.views;

import io.flinkgpu.api.Form;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Views written out, and that hostile texts cost linear time.
 *
 * <p>Covers: Views, Base64Decoder, Decoder, HtmlDecoder, UnicodeDecoder, View.
 */
class ViewsTest {

    private static String read(String text, Form... forms) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Views views = new Views(Set.of(forms));
        List<Views.Chain> chains = views.of(bytes, bytes.length);
        if (chains.isEmpty()) {
            return text;
        }
        assertThat(views.mayHaveAny(bytes, bytes.length)).isTrue();
        Views.Chain last = chains.get(chains.size() - 1);
        return new String(last.bytes(), 0, last.length(), StandardCharsets.UTF_8);
    }

    @Test
    void eachForm() {
        assertThat(read("a%40b%4g%", Form.PERCENT)).isEqualTo("a@b%4g%");
        assertThat(read("&#64;&#x1F600;&lt;&nope;&#;&#0;&", Form.HTML))
                .isEqualTo("@😀<&nope;&#;\ufffd&");
        assertThat(read("\\u0040\\ud83d\\ude00\\ud83dx\\n\\\\u0041\\q\\x41\\", Form.JSON))
                .isEqualTo("@😀\ufffdx\nA\\qA\\");
        assertThat(read("\u001b[1;31mred\u001b[0m\u001b]0;t\u0007x\u001b[", Form.ANSI))
                .isEqualTo("redx\u001b[");
        assertThat(read("x c2VjcmV0IGFuZCBtb3JlIQ== y", Form.BASE64))
                .isEqualTo("x secret and more! y");
        assertThat(read("/usr/lib/python3/dist-packages/foo", Form.BASE64))
                .isEqualTo("/usr/lib/python3/dist-packages/foo");
        assertThat(read("ａ\u200bｂ\u0661\u2013\u00a0é e\u0301 ﬁ", Form.UNICODE))
                .isEqualTo("ab1- é é fi");
        assertThat(read("a+b", Form.PLUS)).isEqualTo("a b");
        assertThat(read("q%26%2364;", Form.PERCENT, Form.HTML)).isEqualTo("q@");
    }

    @Test
    void twiceAndInAnyOrder() {
        assertThat(read("a%2540b %252540", Form.PERCENT)).isEqualTo("a@b %40");
        assertThat(read("a%252540b", Form.PERCENT, Form.PLUS)).isEqualTo("a%40b");
        assertThat(read("&amp;#64;", Form.HTML)).isEqualTo("@");
        assertThat(read("q&#37;3Dx", Form.PERCENT, Form.HTML)).isEqualTo("q=x");
        assertThat(read("eCUzRCBzZWNyZXQgYW5kIG1vcmU", Form.PERCENT, Form.BASE64))
                .isEqualTo("x= secret and more");
        assertThat(read("%2B+", Form.PERCENT, Form.PLUS)).isEqualTo("  ");
    }

    /** Base64 would read the parts of a token: without what is invisible it is looked at as it is, before that. */
    @Test
    void whatIsInvisibleIsLeftOutBeforeBase64() {
        assertThat(all("c2VjcmV0IGFuZCBtb3JlIQ.\u200bx", Form.BASE64, Form.UNICODE))
                .containsExactly(
                        "c2VjcmV0IGFuZCBtb3JlIQ.x",
                        "secret and more!.\u200bx",
                        "secret and more!.x");
    }

    /** What is left out or made a dash joins base64 to its neighbours, and so it no longer is that. */
    @Test
    void base64IsReadBeforeItIsJoinedToItsNeighbours() {
        assertThat(all("id\u2014c2VjcmV0IGFuZCBtb3JlIQ\u2014x", Form.BASE64, Form.UNICODE))
                .containsExactly("id-c2VjcmV0IGFuZCBtb3JlIQ-x", "id\u2014secret and more!\u2014x");
    }

    /** What the second round decodes may end what the first one gave. */
    @Test
    void aPlusIsASpaceAfterEachRound() {
        assertThat(all("a+b%252C", Form.PERCENT, Form.PLUS))
                .containsExactly("a+b%2C", "a b%2C", "a+b,", "a b,");
        assertThat(all("a+b%2C", Form.PERCENT, Form.PLUS)).containsExactly("a+b,", "a b,");
        assertThat(all("a+b", Form.PERCENT, Form.PLUS)).containsExactly("a b");
    }

    private static List<String> all(String text, Form... forms) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new Views(Set.of(forms))
                .of(bytes, bytes.length).stream()
                        .map(c -> new String(c.bytes(), 0, c.length(), StandardCharsets.UTF_8))
                        .toList();
    }

    @Test
    void placesGoBackThroughAllForms() {
        byte[] bytes = "x%26%2364;y".getBytes(StandardCharsets.UTF_8);
        List<Views.Chain> chains =
                new Views(Set.of(Form.PERCENT, Form.HTML)).of(bytes, bytes.length);
        assertThat(chains).hasSize(2);
        Views.Chain last = chains.get(1);
        assertThat(last.sourceStart(1)).isEqualTo(1);
        assertThat(last.sourceEnd(1)).isEqualTo(bytes.length - 1);
        assertThat(last.sourceStart(2)).isEqualTo(bytes.length - 1);
        assertThat(last.sourceEnd(2)).isEqualTo(bytes.length);
    }

    @Test
    @Timeout(120)
    void hostileTextsCostLinearTime() {
        String[] pieces = {
            "%",
            "%4",
            "%%40",
            "&",
            "&#",
            "&amp",
            "&#1111111",
            "\\",
            "\\u",
            "\\u00",
            "\\ud83d",
            "\u001b[",
            "\u001b]",
            "\u001b[1",
            "A",
            "A-",
            "QUFB",
            "é",
            "\u0301",
            "\u0316\u0301",
            "\u200b",
            "+",
            "\0"
        };
        Views views = new Views(Set.of(Form.values()));
        for (String piece : pieces) {
            byte[] text = piece.repeat((1 << 20) / piece.length()).getBytes(StandardCharsets.UTF_8);
            for (Views.Chain chain : views.of(text, text.length)) {
                int length = chain.length();
                assertThat(length == 0 ? 0 : chain.sourceEnd(length - 1)).isBetween(0, text.length);
            }
        }
    }
}
