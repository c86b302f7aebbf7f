package io.flinkgpu.examples;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Code in the pages compiles, with what a reader has to bring: {@code doc-code.txt} declares that. Sketches, which have
 * two or three dots in the place of something, are left out.
 *
 * <p>Covers: README.md, docs.
 */
class DocCodeTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```java\\n(.*?)^```");
    private static final Pattern SKETCH = Pattern.compile("= \\.\\.\\.|\\(\\.\\.\\)");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import [^;]+;\\n");
    private static final Pattern RECORD = Pattern.compile("(?m)^record [^\\n]*\\{\\}\\n");
    private static final Pattern STREAM = Pattern.compile("(\\w+), // (DataStream<\\w+>)");
    private static final String FLINK_PATH = "org.apache.flink.core.fs.Path";
    private static final int PAGES_AT_LEAST = 8;

    /** A block of a page. */
    private record Code(String name, String text) {}

    private static List<Code> codes() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            docs.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        List<Code> codes = new ArrayList<>();
        for (Path page : pages) {
            List<String> blocks =
                    BLOCK.matcher(Files.readString(page))
                            .results()
                            .map(block -> block.group(1).strip())
                            .toList();
            for (int i = 0; i < blocks.size(); i++) {
                if (!SKETCH.matcher(blocks.get(i)).find()) {
                    String name = page.getFileName().toString().replaceAll("\\W", "_") + "_" + i;
                    codes.add(new Code(name, blocks.get(i)));
                }
            }
        }
        return codes;
    }

    private static String given() throws IOException {
        try (InputStream in = DocCodeTest.class.getResourceAsStream("/doc-code.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** A class with the code as the body of a method, or as an expression where it is no statement. */
    private static String source(Code code) throws IOException {
        String given = given();
        String imports = given.substring(0, given.indexOf("\n/**"));
        StringBuilder source = new StringBuilder(imports).append('\n');
        IMPORT.matcher(code.text()).results().forEach(found -> source.append(found.group()));
        boolean flinks = code.text().contains("new Path(");
        source.append("import ").append(flinks ? FLINK_PATH : "java.nio.file.Path").append(";\n");
        source.append("@SuppressWarnings({\"unchecked\", \"rawtypes\"})\nabstract class ")
                .append(code.name())
                .append(" extends Given {\n");
        // Streams of records that the block declares; what it says of them is in a comment behind
        // their names.
        RECORD.matcher(code.text()).results().forEach(found -> source.append(found.group()));
        if (RECORD.matcher(code.text()).find()) {
            STREAM.matcher(code.text())
                    .results()
                    .forEach(
                            found ->
                                    source.append(found.group(2))
                                            .append(' ')
                                            .append(found.group(1))
                                            .append(";\n"));
        }
        String body = RECORD.matcher(IMPORT.matcher(code.text()).replaceAll("")).replaceAll("");
        boolean isStatement = body.strip().endsWith(";");
        return source.append("    void run() throws Exception {\n")
                .append(isStatement ? body : "Object it = " + body + ";")
                .append("\n    }\n}\n")
                .toString();
    }

    /** What the compiler says of these, if they do not compile. */
    private static Optional<String> problems(Path folder, List<Code> codes) throws IOException {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "-proc:none",
                                "-nowarn",
                                "-d",
                                folder.toString(),
                                "-cp",
                                System.getProperty("java.class.path")));
        arguments.add(Files.writeString(folder.resolve("Given.java"), given()).toString());
        for (Code code : codes) {
            Path file = folder.resolve(code.name() + ".java");
            arguments.add(Files.writeString(file, source(code)).toString());
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        boolean compiles =
                compiler.getTask(
                                said,
                                null,
                                null,
                                arguments.subList(0, 6),
                                null,
                                compiler.getStandardFileManager(null, null, null)
                                        .getJavaFileObjects(
                                                arguments
                                                        .subList(6, arguments.size())
                                                        .toArray(String[]::new)))
                        .call();
        return compiles ? Optional.empty() : Optional.of(said.toString());
    }

    @Test
    void compiles(@TempDir Path folder) throws IOException {
        List<Code> codes = codes();
        assertThat(codes.stream().map(code -> code.name().replaceAll("_\\d+$", "")).distinct())
                .hasSizeGreaterThanOrEqualTo(PAGES_AT_LEAST);
        assertThat(problems(folder, codes)).isEmpty();
    }

    @Test
    void whatDoesNotCompileIsFound(@TempDir Path folder) throws IOException {
        List<Code> wrong =
                List.of(new Code("Wrong", "GpuStreams.on(logs).noSuchCall().sinkTo(sink);"));
        assertThat(problems(folder, wrong))
                .hasValueSatisfying(said -> assertThat(said).contains("noSuchCall"));
    }
}
