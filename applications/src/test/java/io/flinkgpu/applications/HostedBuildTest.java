package io.flinkgpu.applications;

import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * That what the hosted build and the image run is there: neither can be run without their hosts.
 *
 * <p>Covers: .github/workflows/build.yml, docker/jars.sh.
 */
class HostedBuildTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern SCRIPT = Pattern.compile("^(?:\\./)?([\\w./-]+/[\\w.-]+|mvnw)\\b");

    @Test
    void commandsAreScriptsOfTheCheckout() throws IOException {
        List<String> scripts = new ArrayList<>();
        for (String command : commands()) {
            Matcher script = SCRIPT.matcher(command);
            if (script.find()) {
                assertThat(ROOT.resolve(script.group(1))).isExecutable();
                scripts.add(script.group(1));
            } else {
                assertThat(command).matches("(docker|mkdir) .*");
            }
        }
        assertThat(scripts)
                .contains(
                        ".ci/run", "mvnw", "applications/kafka/failures.sh", "docs/site/build.sh");
    }

    @Test
    void buildsNameModulesProfilesAndTestsThatExist() throws IOException {
        String pom = Files.readString(ROOT.resolve("pom.xml"));
        List<String> all = new ArrayList<>(commands());
        all.add(Files.readString(ROOT.resolve(".ci/run")));
        for (String command : all) {
            for (String module : matches("-pl (\\S+)", command)) {
                assertThat(pom).contains("<module>" + module + "</module>");
            }
            for (String profile : matches(" -P(\\w+)", command)) {
                assertThat(pom).contains("<id>" + profile + "</id>");
            }
            for (String test : matches("-Dtest=(\\w+)", command)) {
                try (Stream<Path> files = Files.walk(ROOT, 12)) {
                    assertThat(files.filter(file -> file.endsWith(test + ".java"))).hasSize(1);
                }
            }
        }
        assertThat(matches("-P(\\w+)", String.join("\n", all))).contains("soak", "fuzz");
    }

    @Test
    void theImageIsOfTheFlinkThatIsBuiltAgainst() throws IOException {
        String flink = matches("<dep.flink>([^<]+)<", read("pom.xml")).get(0);
        assertThat(read("docker/Dockerfile")).contains("FROM flink:" + flink + "-java17");
        for (String plugin :
                matches(
                        "flink-s3-fs-presto-([0-9.]+)\\.jar",
                        read("docker/kubernetes/application-gpu.yaml")
                                + read("docker/kubernetes/session-gpu.yaml"))) {
            assertThat(plugin).isEqualTo(flink);
        }
    }

    /** What a later stage copies is what an earlier one makes. */
    @Test
    void stagesOfTheImageMakeWhatLaterOnesTake() throws IOException {
        String dockerfile = read("docker/Dockerfile");
        String jars = read("docker/jars.sh");
        assertThat(matches("(?m)^FROM \\S+ AS (\\w+)", dockerfile))
                .containsAll(matches("COPY --from=(\\w+)", dockerfile));
        String folder = matches("docker/jars\\.sh (\\S+)", dockerfile).get(0);
        for (String copied : matches(Pattern.quote(folder) + "/([\\w-]+\\.jar)", dockerfile)) {
            String name = copied.replace(".jar", "");
            boolean made =
                    jars.contains(" " + name + " \"$folder\"")
                            || jars.contains("\"$folder/" + copied + "\"");
            assertThat(made).as("%s of jars.sh", copied).isTrue();
        }
        String fatbin = matches("COPY --from=kernels /src/kernels/(\\S+)", dockerfile).get(0);
        assertThat(read("kernels/Makefile")).contains(Path.of(fatbin).getFileName().toString());
        assertThat(jars).contains("copy kernels flink-gpu-kernels \"$folder/lib\"");
    }

    private static List<String> commands() throws IOException {
        List<String> commands = new ArrayList<>();
        Load load = new Load(LoadSettings.builder().build());
        Map<?, ?> workflow = (Map<?, ?>) load.loadFromString(read(".github/workflows/build.yml"));
        for (Object job : ((Map<?, ?>) workflow.get("jobs")).values()) {
            for (Object step : (List<?>) ((Map<?, ?>) job).get("steps")) {
                String run = (String) ((Map<?, ?>) step).get("run");
                if (run != null && run.contains("matrix.command")) {
                    Map<?, ?> strategy = (Map<?, ?>) ((Map<?, ?>) job).get("strategy");
                    Map<?, ?> matrix = (Map<?, ?>) strategy.get("matrix");
                    ((List<?>) matrix.get("command"))
                            .forEach(command -> commands.add((String) command));
                } else if (run != null) {
                    commands.addAll(List.of(run.split(" && ")));
                }
            }
        }
        commands.removeIf(command -> command.startsWith("chmod") || command.startsWith("seq"));
        return commands;
    }

    private static String read(String file) throws IOException {
        return Files.readString(ROOT.resolve(file));
    }

    private static List<String> matches(String regex, String text) {
        return Pattern.compile(regex)
                .matcher(text)
                .results()
                .map((MatchResult match) -> match.group(match.groupCount()))
                .toList();
    }
}
